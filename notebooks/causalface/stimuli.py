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
# **Question.** An experiment on pictures varies one thing at a time. Does it? What would a leak look like, which of the paper's checks
# would see it, and what does nobody's check see?
#
# **In 20 minutes:** {ref}`the grid <stimuli-sheet>`, {ref}`the brightness maps beside maps of chance <stimuli-maps>`,
# {ref}`a leak planted on purpose <stimuli-leak>`, take-aways. **In 75 minutes:** also the crops, the photograph collections, both exercises.
#
# **You need:** means, a sign test, the idea of a permutation. The primer
# [Permutation tests](../../book/primers/permutation.md) explains sign flips.
#
# **Content note.** The paper studies race and gender as seen by a model. The faces on this page are drawings of
# fictional groups; they stand for nobody.
# :::
#
# **The idea.** In photographs found on the web everything comes with something else: who smiles, who is well lit, who looks straight
# into the camera depends on who took the picture and why. {cite:t}`hausladen2025` therefore study faces that a generative network drew
# {cite}`liang2023`: the same hundred "seeds" in every combination of three races and two genders, each of these prototypes varied in age, smile,
# light and pose. "Thus, our findings are experimental rather than observational." That sentence is as good as the manipulation.
#
# **The checks.** A manipulation can fail in two ways: it may not do what it should, or it may do something else as well. For the second, the authors
# compare brightness: per smiling level, and pixel by pixel between groups (their Appendix D),
#
# $$X_P = \frac{1}{n} \sum_{i} x_{P,i}, \qquad x_{P,i} = \operatorname{sign}\left(Y_{P,i,a} - Y_{P,i,b}\right),$$
#
# where $Y_{P,i,a}$ is the grey value at position $P$ of the picture of seed $i$ in group $a$.
#
# **What the authors conclude.** The property that matters "is that face attributes are manipulated systematically and independently, enabling an
# experimental approach and supporting causal interpretation of the results".
#
# **Their own checks and limits.** Quoted because nothing on this page can replace them: the makers of the set "visually inspected whether
# manipulating one attribute induces unwanted changes in other attributes", and "collected nine human annotations per attribute to ensure that the
# apparent ID of the face was not changing"; the averages "suggest that the manipulations are equally effective across demographic groups". The
# authors found two leaks themselves: "a slight spurious correlation between facial expression ("Smiling") and the average image brightness", which
# they corrected, and small differences in brightness between prototypes, of which they say that "future research is needed to test for this
# potential confounder and, if necessary, correct any biases".

# %% tags=["parameters"]
stimuli = "greenhouse/causalface"  # image set with columns seed, race, gender, age, smiling, lighting, pose, subset
root = ""  # folder of its images; empty: none needed
observed = ["greenhouse/fairface", "greenhouse/utkface"]  # collections of photographs to set beside it
observed_roots = ["", ""]  # their folders; empty: none needed
protocol = "described"  # whose brightness maps give the headline: "described" (prototypes) or "released" (all ten ages)
n_seeds = 100  # seeds in the brightness maps
n_leak_seeds = 8  # seeds in the pictures with a planted leak
n_resamples = 500  # sign flips, and bootstrap resamples
seed = 42  # seed of every random draw
results = "_build/results/causalface/stimuli.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pandas as pd
from IPython.display import HTML
from PIL import Image, ImageEnhance
from scipy import stats

import vlmbias as vb
from studies import words as said_as

claims = vb.ledger.table("causalface/stimuli")
GREY = np.array([0.2989, 0.587, 0.114])  # the authors' weights of red, green and blue


def grey(picture):
    """Grey values `(…, height, width)` of RGB pictures."""
    return np.asarray(picture, dtype=float) @ GREY


def chance(per_seed, *, n=n_resamples):
    """One map of chance, the bound of a single position `(h, w)`, and the bound of the largest of all positions."""
    flat = per_seed.reshape(len(per_seed), -1).astype(np.float32)
    coins = np.random.default_rng(seed).choice(np.float32([-1, 1]), (n, len(flat)))
    largest = np.concatenate([np.abs(part @ flat / len(flat)).max(axis=1) for part in np.array_split(coins, max(1, n // 25))])
    single = 1.96 * np.sqrt((flat**2).sum(axis=0)) / len(flat)
    return (coins[0] @ flat / len(flat)).reshape(per_seed.shape[1:]), single.reshape(per_seed.shape[1:]), float(np.quantile(largest, 0.95))


# %% [markdown]
# ## What the paper reports

# %% tags=["hide-input"]
vb.ledger.show(claims)

# %% [markdown]
# ### Three sets, three layouts
#
# What each set records decides which question it can answer. Folder and file names are those the authors' code reads.

# %% tags=["hide-input", "scroll-output"]
LAYOUTS = {
    "CausalFace": dict(
        pictures="generated; {race}_{gender}_{letter}_{value}….png in one folder per seed, one tree per varied attribute",
        records="seed, race, gender, age, smile, light, pose",
        leaves_out="hair, clothes, background: they come with the seed, and partly with group",
        crop="432 of 512 pixels; two other windows for turned heads",
    ),
    "FairFace": dict(
        pictures="photographs, {id}.jpg, margin 0.25; fairface_label_train.csv",
        records="race (7), gender, age (9 bins)",
        leaves_out="smile, light, pose, who photographed whom and why",
        crop="as released",
    ),
    "UTKFace": dict(
        pictures="photographs, {age}_{gender}_{race}_{date}.jpg, aligned and cropped",
        records="race (5), gender, age in years",
        leaves_out="smile, light, pose, who photographed whom and why",
        crop="as released",
    ),
}
HTML(pd.DataFrame(LAYOUTS).T.rename(columns=lambda name: name.replace("_", " ")).to_html(border=0))

# %% [markdown]
# ### How large is "small"?
#
# The caption of Figure S.10 calls the differences in the background and in the clothes small: {claim}`stimuli.gender-size` "in brightness", either way. Equation 13 keeps the *sign* of a difference
# and drops its size, so the map cannot show per cent of brightness; if the number was read off the map's scale it is a surplus of seeds in which one group is
# brighter. Read like that, it can be set against chance: with $n$ independent pairs that are as often brighter as darker, $|X_P|$ stays
# below $1.96/\sqrt n$ at 95 of 100 positions.

# %%
printed = pd.DataFrame({"pairs": [100, 300, 3_000]})
printed["95 % of positions below"] = 1.96 / np.sqrt(printed["pairs"])
printed["largest of 4,096, 95 %"] = stats.norm.isf(0.025 / 4_096) / np.sqrt(printed["pairs"])
vb.note(bound_seeds=float(printed.iloc[0, 1]), bound_released=float(printed.iloc[2, 1]))
printed.style.format({"pairs": "{:,}"} | dict.fromkeys(printed.columns[1:], "{:.3f}")).hide(axis="index")

# %% [markdown]
# With one pair per seed the bound is {glue:text}`bound_seeds:.2f`; a surplus of that size would be lost in chance. With the 3,000 pairs that the code compares it is
# {glue:text}`bound_released:.3f`, *if* these were independent. They are thirty pairs from each of a hundred seeds. Below, seeds are what is flipped.

# %% [markdown]
# ## The protocol, run on {data}
#
# ### The grid

# %%
images = vb.images(stimuli, root or None)
table = images.table
per_seed = table.groupby("seed").size()
subsets = ["age", "smiling", "lighting", "pose"]
stacked = sum(table["subset"].isin(["prototype", name]).sum() for name in subsets)
vb.note(n_images=len(table), n_rows=stacked, n_identities=table["seed"].nunique())
table.groupby("subset", sort=False).size().to_frame("pictures").T

# %% tags=["hide-input"]
# what the grid holds, for the ledger
varied = [name for name in ("race", "gender", *subsets) if table[name].nunique() > 1]
for claim, value in {
    "stimuli.attributes": len(varied), "stimuli.attributes-again": len(varied),
    "stimuli.groups": len(table[["race", "gender"]].drop_duplicates()), "stimuli.gender-values": table["gender"].nunique(),
    "stimuli.smiling-values": table["smiling"].nunique(), "stimuli.more-per-seed": bool(per_seed.median() > 120),
    "stimuli.crop.size": images.decode(0).size[0],
}.items():
    vb.ledger.record(claim, value, results=results, stimuli=images, model="none")

# %% [markdown]
# {glue:text}`n_identities` seeds × 6 prototypes × 30 pictures = {glue:text}`n_images` distinct pictures. The authors' code reads four tables, one per varied
# attribute, and each brings its own copy of the prototype: {glue:text}`n_rows` rows. Which of the two is resampled changes
# [how often a prototype is drawn](variation.ipynb).

# %% tags=["hide-input"]
groups = list(table[["race", "gender"]].drop_duplicates().itertuples(index=False, name=None))
from_greenhouse = images.source == "greenhouse"
source = "greenhouse" if from_greenhouse else f"real:{images.name}"


def pictures(rows, size=192):
    """The pictures of some rows: drawn at a readable size, or decoded."""
    drawn = images.render(table.loc[rows], size) if images.render else images.decode(rows)
    return [np.asarray(one) for one in drawn]


first = table["seed"].iloc[0]
of_seed = table[table["seed"] == first]
shown, labels = [], []
for race, gender in groups:
    mine = (of_seed["race"] == race) & (of_seed["gender"] == gender)
    shown += [of_seed.index[mine & (of_seed["subset"] == "prototype")][0]]
    labels += [f"{race}\n{gender}"]
fig = vb.figures.contact_sheet(pictures(shown), labels, columns=6)
vb.figures.show(fig, name="stimuli-sheet", source=source,
    alt=f"Six prototypes of one seed: {', '.join(' '.join(group) for group in groups)}; the same features, garment and background in each.",
    caption="One seed, six prototypes: neutral expression, frontal, evenly lit.")

# %% tags=["hide-input"]
shown, labels = [], []
mine = of_seed[(of_seed["race"] == groups[0][0]) & (of_seed["gender"] == groups[0][1])]
for attribute in subsets:
    series = mine[mine["subset"].isin(["prototype", attribute])].sort_values(attribute)
    chosen = series.iloc[np.linspace(0, len(series) - 1, 5).round().astype(int)]
    shown += list(chosen.index)
    labels += [f"{attribute} {value:g}" for value in chosen[attribute]]
fig = vb.figures.contact_sheet(pictures(shown), labels, columns=5)
vb.figures.show(fig, source=source,
    alt=f"Twenty pictures of one prototype ({' '.join(groups[0])}): five levels each of {', '.join(subsets)}, everything else as it was.",
    caption="One prototype, varied: five levels of each attribute, from the lowest to the highest.")

# %% [markdown]
# ### Brightness, pixel by pixel: Figures S.10 and S.11
#
# The text compares "the male and female prototype within a seed"; the released code compares all ten ages. Both, for the two genders and the three pairs of races:

# %%
PROTOCOLS = {
    "described": dict(subsets=["prototype"]),
    "released": dict(subsets=["prototype", "age"]),
}

# %% tags=["hide-input"]
genders, races = list(dict.fromkeys(table["gender"])), list(dict.fromkeys(table["race"]))
COMPARISONS = {f"{a} − {b}": (column, a, b) for column, a, b in [("gender", *genders), *(
    ("race", one, other) for k, one in enumerate(races) for other in races[k + 1:])]}


def seed_maps(images, *, subsets, seeds):
    """Per comparison: the mean sign of the grey difference per seed (Eq. 13) and the mean difference, `(seeds, h, w)`; the pairs."""
    rows = images.table[images.table["subset"].isin(subsets) & images.table["seed"].isin(seeds)]
    found = {name: ([], [], []) for name in COMPARISONS}
    for _, own in rows.groupby("seed", sort=False):
        values = grey(np.stack([np.asarray(one) for one in images.decode(own.index)]))
        keys = own[["race", "gender", "age"]].fillna({"age": 0})  # some releases do not say the prototype's age
        place = pd.Series(np.arange(len(own)), index=pd.MultiIndex.from_frame(keys))
        for name, (column, a, b) in COMPARISONS.items():
            one, other = (place.xs(value, level=column) for value in (a, b))
            both = one.index.intersection(other.index)
            difference = (values[one[both]] - values[other[both]]).astype(np.float32)
            for kept, value in zip(found[name], (np.sign(difference).mean(0), difference.mean(0), len(both)), strict=True):
                kept.append(value)
    return {name: (np.array(signs), np.mean(sizes, axis=0), sum(pairs)) for name, (signs, sizes, pairs) in found.items()}


# %%
chosen_seeds = table["seed"].unique()[:n_seeds]
maps = {name: seed_maps(images, seeds=chosen_seeds, **choices) for name, choices in PROTOCOLS.items()}

# %% [markdown]
# What would such a map look like by chance? If neither group is systematically brighter, exchanging the two within a seed changes nothing that matters, so each seed's whole
# map may as well have the opposite sign {cite}`phipson2010`. Flip a coin per seed, average again: that is one map of chance, with the
# spatial structure that pictures have.

# %% tags=["hide-input"]
def read_maps(maps):
    """What the maps of one protocol show, against chance: one row per comparison."""
    rows, drawn = [], {}
    for name, (per_seed, _, pairs) in maps.items():
        seen = per_seed.mean(axis=0)
        null, single, bound = chance(per_seed)
        ours = np.abs(seen) > 1e-12
        rows.append({"comparison": name, "pairs": pairs, "seeds": len(per_seed), "largest |X|": np.abs(seen).max(),
                     "bound, pairs": 1.96 / np.sqrt(pairs), "bound, seeds": np.median(single[ours]) if ours.any() else 0.0,
                     "bound, all positions": bound, "beyond pairs": (np.abs(seen) > 1.96 / np.sqrt(pairs)).mean(),
                     "beyond seeds": (ours & (np.abs(seen) > single)).mean(), "beyond all": (np.abs(seen) > bound).mean()})
        drawn[name] = seen, null
    return pd.DataFrame(rows).set_index("comparison"), drawn


def corners(map_):
    """The mean of a map over its upper corners (an eighth of the width, a quarter of the height): background."""
    high, wide = map_.shape[0] // 4, map_.shape[1] // 8
    return float((map_[:high, :wide].mean() + map_[:high, -wide:].mean()) / 2)


def foot(map_):
    """The mean of a map over the middle of its lower edge: clothes."""
    high, wide = map_.shape[0] // 10, map_.shape[1] // 4
    return float(map_[-high:, wide:-wide].mean())


readings = {name: read_maps(found) for name, found in maps.items()}
reading, drawn = readings[protocol]

# %% tags=["hide-input"]
full_colour = float(reading["bound, all positions"].max())
fig, axes = vb.figures.panels(2, len(drawn), height=3.7)
for column, (name, pair) in enumerate(drawn.items()):
    for row, (values, what) in enumerate(zip(pair, ("seen", "chance"), strict=True)):
        axis = axes[row, column]
        shade = axis.imshow(values, cmap="RdBu_r", vmin=-full_colour, vmax=full_colour)
        axis.set(xticks=[], yticks=[], ylabel=what if not column else "")
        if not row:
            axis.set_title(name.replace(" − ", "\n− "), fontsize=11)
fig.colorbar(shade, ax=axes, location="bottom", shrink=0.6, aspect=40, extend="both",
             label="X: first more often darker … brighter")
beyond = reading["beyond all"]
vb.figures.show(fig, name="stimuli-maps", source=source,
    alt="Four maps of the mean sign of the brightness difference, above four maps of chance. Positions beyond what chance gives anywhere: "
    + "; ".join(f"{name}, {share:.0%} of the picture, largest |X| {reading.loc[name, 'largest |X|']:.2f}" for name, share in beyond.items()) + ".",
    caption=f"Above: mean sign of the grey difference (Eq. 12 and 13), protocol as {protocol}. Below: the same with each seed's sign drawn by coin. "
    "Red: the first-named group is more often brighter; full colour: more than chance gives anywhere.")

# %% tags=["hide-input", "scroll-output"]
both = pd.concat({name: found for name, (found, _) in readings.items()}, names=["protocol"]).reset_index()
vb.note(crest_beyond=100 * float(reading["beyond all"].iloc[0]), crest_largest=float(reading["largest |X|"].iloc[0]),
     hue_beyond=100 * float(reading["beyond all"].iloc[1:].max()), hue_largest=float(reading["largest |X|"].iloc[1:].max()),
     hue_pairs=100 * float(readings["released"][0]["beyond pairs"].iloc[1:].max()),
     hue_seeds=100 * float(readings["released"][0]["beyond all"].iloc[1:].max()),
     crest_pairs=int(readings["released"][0]["pairs"].iloc[0]), crest_described=int(readings["described"][0]["pairs"].iloc[0]),
     bound_pairs=float(readings["released"][0]["bound, pairs"].iloc[1]), bound_flips=float(readings["released"][0]["bound, seeds"].iloc[1:].median()))
both.style.format({"pairs": "{:,}"} | {name: "{:.3f}" for name in both if "bound" in name or "largest" in name}
                  | {name: "{:.1%}" for name in both if "beyond" in name}).hide(axis="index")

# %% tags=["hide-input"]
for name, found in maps.items():
    (signs, size, _), *by_race = found.values()
    sign = signs.mean(axis=0)
    lighter = dict.fromkeys(races, 0.0)
    for (_, one, other), (signs_, _, _) in zip(list(COMPARISONS.values())[1:], by_race, strict=True):
        lighter[one] += corners(signs_.mean(axis=0))
        lighter[other] -= corners(signs_.mean(axis=0))
    for claim, value in {
        "stimuli.gender-background": corners(sign) > 0, "stimuli.gender-clothing": foot(sign) < 0,
        "stimuli.gender-size": 100 * max(abs(corners(size)), abs(foot(size))) / 255,
        "stimuli.race-lightest": max(lighter, key=lighter.get) == "asian", "stimuli.race-darkest": min(lighter, key=lighter.get) == "white",
    }.items():
        vb.ledger.record(claim, value, results=results, stimuli=images, model="none", protocol=name)

# %% [markdown]
# "Beyond pairs" takes every pair for an independent fact, "beyond seeds" flips whole seeds, "beyond all" asks for more than chance gives *anywhere* in the picture. Under the
# released protocol the pairs would allow only {glue:text}`bound_pairs:.3f`; seeds allow about {glue:text}`bound_flips:.2f`, and
# **no number of ages narrows that**, because the ten ages of a seed share nearly everything. Counting pairs, up to {glue:text}`hue_pairs:.0f` % of the picture would
# differ between two groups; counting seeds, {glue:text}`hue_seeds:.0f` %.
#
# Note what the lower row looks like: *chance has the shape of a face.* What is drawn in one colour shares one sign, so a pattern with outlines is no
# evidence against chance.

# %% [markdown]
# ### Brightness and smiling

# %% tags=["hide-input"]
def brightness(images, rows):
    """Mean grey value of whole pictures, `(rows,)`."""
    return np.concatenate([grey(np.stack([np.asarray(one) for one in images.decode(part)])).mean(axis=(1, 2))
                           for part in np.array_split(rows, max(1, len(rows) // 64))])


smiles = table[table["subset"].isin(["prototype", "smiling"]) & table["seed"].isin(chosen_seeds)]
smiles = smiles.assign(grey=brightness(images, smiles.index.to_numpy()))


def relative(rows, value="grey"):
    """Per cent by which each picture differs from the prototype (smiling 0) of its seed and group."""
    keys = ["seed", "race", "gender"]
    base = rows[rows["smiling"] == 0].set_index(keys)[value]
    return 100 * (rows[value].to_numpy() / base.reindex(pd.MultiIndex.from_frame(rows[keys])).to_numpy() - 1)


smiles["change"] = relative(smiles)
by_seed = smiles.pivot_table(index="seed", columns="smiling", values="change")
levels = pd.DataFrame({"mean": by_seed.mean(), "half": 1.96 * by_seed.sem()})
fig, ((axis,),) = vb.figures.panels(height=3.0)
axis.axhline(0, color=vb.figures.COLOURS["reference"], linewidth=1)
axis.errorbar(levels.index, levels["mean"], levels["half"], fmt="o-", color=vb.figures.COLOURS["recomputed"], capsize=3)
axis.set(xlabel="smiling", ylabel="brightness, % of prototype's")
vb.note(smile_largest=float(levels["mean"].abs().max()), smile_at=float(levels["mean"].abs().idxmax()))
vb.figures.show(fig, source=source,
    alt=f"Mean brightness per smiling level, relative to smiling 0: between {levels['mean'].min():.2f} and {levels['mean'].max():.2f} per cent.",
    caption="Mean grey value of the whole picture per smiling level, relative to the prototype; 95 % intervals over seeds.")

# %% [markdown]
# The largest mean change is {glue:text}`smile_largest:.2f` % (at smiling {glue:text}`smile_at:.1f`). On our drawings no leak was planted here: this is the mouth itself, dark when it opens
# and light when teeth show. A check of brightness cannot tell a leak from the thing that was meant to change.
#
# ### The photograph collections
#
# The two sets of photographs record race, gender and age. What they do not record is what the paper blames for their noise. In their Greenhouse counterparts we
# wrote down what a camera would have caught, so the picture can be drawn:

# %% tags=["hide-input"]
def eta(rows, column):
    """Share of a column's variance that lies between the race × gender groups (η²)."""
    grand, part = rows[column].mean(), rows.groupby(["race", "gender"])[column]
    return float((part.size() * (part.mean() - grand) ** 2).sum() / ((rows[column] - grand) ** 2).sum())


ATTRIBUTES = ["age", "smiling", "lighting", "pose"]
collections = {}
for name, folder in zip(observed, observed_roots, strict=True):
    short, used, everyone = name.split("/")[-1], vb.images(name, folder or None), vb.images(f"{name}/all", folder or None)
    collections[short] = used.table
    counted = {"all": len(everyone), "subset": len(used), "age": float(used.table["years"].min())}
    if short == "fairface":
        counted |= {"races": everyone.table["race"].nunique(), "genders": everyone.table["gender"].nunique()}
    for what, value in counted.items():
        vb.ledger.record(f"stimuli.{short}.{what}", value, results=results, stimuli=used, model="none")
fig, axes = vb.figures.panels(len(ATTRIBUTES), len(collections), height=8.2)
linked, recorded = [], []
for column, (name, rows) in enumerate(collections.items()):
    order = sorted(set(zip(rows["race"], rows["gender"], strict=True)), reverse=True)
    colours = vb.figures.colours_for(races if from_greenhouse else [race for race, _ in order])
    for axis, attribute in zip(axes[:, column], ATTRIBUTES, strict=True):
        wanted = "years" if attribute == "age" and "years" in rows else attribute
        if wanted not in rows:
            axis.text(0.5, 0.5, f"{attribute}:\nnot recorded", ha="center", va="center", transform=axis.transAxes)
            axis.set_axis_off()
            continue
        recorded.append((name, attribute))
        parts = [rows.loc[(rows["race"] == race) & (rows["gender"] == gender), wanted] for race, gender in order]
        boxes = axis.boxplot(parts, orientation="horizontal", widths=0.7, patch_artist=True,
                             showfliers=False, medianprops={"color": "black"})["boxes"]
        for box, (race, gender) in zip(boxes, order, strict=True):
            box.set(facecolor=colours.get(race, "#BBBBBB"), alpha=0.85 if gender == genders[0] else 0.4)
        axis.set_yticks(range(1, len(order) + 1), [" ".join(group) for group in order] if not column else [""] * len(order))
        axis.set_title(f"{name}: {wanted}", fontsize=11)
        linked.append({"set": name, "attribute": wanted, "pictures": len(rows), "between groups (η²)": eta(rows, wanted)})
linked = pd.DataFrame(linked)
worst = linked.loc[linked["between groups (η²)"].idxmax()]
vb.note(linked_most=f"{worst['attribute']} in {worst['set']}", linked_share=100 * float(worst["between groups (η²)"]),
     uneven=float(max(table_.groupby(["race", "gender"]).size().max() / table_.groupby(["race", "gender"]).size().min() for table_ in collections.values())))
vb.figures.show(fig, source="greenhouse" if all("greenhouse" in name for name in observed) else [f"real:{name}" for name in collections],
    alt="Boxes of age, smiling, lighting and pose per group in two collections. Most of the variance between groups: "
    f"{worst['attribute']} in {worst['set']}, {worst['between groups (η²)']:.0%}.",
    caption="What comes with whom in the two collections. The real sets record the first row only.")
linked.style.format({"pictures": "{:,}", "between groups (η²)": "{:.1%}"}).hide(axis="index").set_caption(
    "How much of each attribute's variance lies between groups; in the grid it is zero by design")

# %% [markdown]
# In the grid every group has the same pictures of everything, so these shares are zero by design. Here the largest is {glue:text}`linked_share:.0f` % ({glue:text}`linked_most`), and
# the largest group is {glue:text}`uneven:.1f` times the smallest. **Neither FairFace nor UTKFace records smile, light or pose**, so on the real sets only the first row
# of the figure could be drawn: the confounder of which the paper warns is exactly what an analyst of these sets cannot see.

# %% [markdown]
# ## What this method can see
#
# In the laboratory a leak can be planted. Two kinds of check are on trial, the brightness of whole pictures and the map, and the correction.
#
# ### What the crop keeps
#
# The pictures of CausalFace measure 512 pixels; the authors keep a window of 432, and another one for turned heads "to ensure that faces are centered in the image".

# %%
WINDOWS = {-1: (0, 0, 432, 432), 0: (40, 0, 472, 432), 1: (80, 0, 512, 432)}  # by the sign of pose

# %% tags=["hide-input"]
from greenhouse.world import faces, grid, nuisance

grid_table = grid.causalface(n_seeds)
PLAIN = nuisance.load()


def figure_mask(rows, size=64, **leaks):
    """Where the figure is, `(n, size, size)`: two drawings that differ in the background alone agree there."""
    one, other = (faces.render(rows, size, nuisance=replace(PLAIN, background=amount, texture=0.0)) for amount in (1.0, 0.0))
    return (one == other).all(axis=3)


turned = grid_table[grid_table["subset"].isin(["prototype", "pose"]) & (grid_table["seed"] < n_leak_seeds)
                    & (grid_table["race"] == "teal") & (grid_table["gender"] == "eared")].sort_values("pose")
masks = figure_mask(turned, 512)
kept = []
for window in ("its own window", "the frontal window"):
    for pose, mask in zip(turned["pose"], masks, strict=True):
        left, top, right, bottom = WINDOWS[int(np.sign(pose)) if window == "its own window" else 0]
        inside = mask[top:bottom, left:right]
        head = inside[: int(0.62 * 432)].sum(axis=0)  # above the shoulders
        kept.append({"window": window, "pose": pose, "kept": inside.sum() / mask.sum(),
                     "off centre": 100 * abs((head * np.arange(432)).sum() / head.sum() / 432 - 0.5)})
kept = pd.DataFrame(kept).groupby(["window", "pose"]).mean().reset_index()
example = turned[turned["seed"] == 0].iloc[[0, 2, 4]]
whole = faces.render(example, 512)
encoder = vb.encoder("greenhouse")
words = vb.embed(encoder, vb.prompts("social_perception"))


def judged(pictures, rows, name):
    """Δcos × logit scale of pictures of the laboratory, `(n, dimensions)`."""
    plain = vb.images("greenhouse/causalface")
    shown = replace(plain, name=f"greenhouse/{name}", table=rows.reset_index(drop=True).assign(picture=range(len(rows))),
                    recipe=sha256(pictures.tobytes()).hexdigest(), render=lambda some, size=64: pictures[some["picture"]])
    return vb.Perception.of(vb.embed(encoder, shown), words).delta().to_numpy() * encoder.logit_scale


drawn_large = faces.render(turned, 512)
cuts = {
    window: np.stack([np.asarray(Image.fromarray(one).crop(WINDOWS[int(np.sign(pose)) if window == "own" else 0]).resize((64, 64), Image.BICUBIC))
                      for one, pose in zip(drawn_large, turned["pose"], strict=True)])
    for window in ("own", "frontal")
}
seen_cuts = {window: judged(cut, turned, f"crop-{window}") for window, cut in cuts.items()}
moved = np.abs(seen_cuts["own"] - seen_cuts["frontal"]).mean(axis=1)
straight = pd.Series(range(len(turned)), index=turned["seed"].to_numpy())[(turned["pose"] == 0).to_numpy()]
turning = np.abs(seen_cuts["frontal"] - seen_cuts["frontal"][straight[turned["seed"]]])[np.abs(turned["pose"]) == 3]
fig, axes = vb.figures.panels(2, 3, height=4.3)
for column, (pose, picture) in enumerate(zip(example["pose"], whole, strict=True)):
    left, top, right, bottom = WINDOWS[int(np.sign(pose))]
    axes[0, column].imshow(picture)
    axes[0, column].plot([left, right, right, left, left], [top, top, bottom, bottom, top], color="white", linewidth=2.5)
    axes[0, column].plot([left, right, right, left, left], [top, top, bottom, bottom, top], "--", color="black", linewidth=1.2)
    axes[1, column].imshow(picture[top:bottom, left:right])
    axes[0, column].set(title=f"pose {pose:g}", xlim=(-4, 516), ylim=(516, -4))
for axis in axes.flat:
    axis.set_axis_off()
off = kept.pivot(index="window", columns="pose", values="off centre")
ends = [off.columns.min(), off.columns.max()]
vb.note(crop_kept=100 * float(kept.loc[kept["window"] == "its own window", "kept"].mean()),
     off_own=float(off.loc["its own window", ends].mean()), off_frontal=float(off.loc["the frontal window", ends].mean()),
     judged_window=float(moved[np.abs(turned["pose"]) == 3].mean()), judged_pose=float(turning.mean()))
vb.figures.show(fig, source="greenhouse", name="stimuli-crops",
    alt=f"Three poses with their crop windows, and the crops. With its own window a turned head is {off.loc['its own window', ends].mean():.1f} per cent of the width "
    f"off the centre, with the frontal one {off.loc['the frontal window', ends].mean():.1f}.",
    caption="A 512-pixel drawing at three poses with the window that the authors would cut (above), and the cut (below).")

# %% [markdown]
# The windows keep {glue:text}`crop_kept:.0f` % of the figure (what goes is shoulder and garment). Our drawings turn their features and leave the skull where it is: for *them*, the windows for turned heads
# are the wrong ones. At the extreme poses they put the head off the centre by {glue:text}`off_own:.1f` % of the width, the frontal window by {glue:text}`off_frontal:.1f` %; generated heads move to the side
# when they turn, and then it is the other way round. That makes the drawings a clean test of what a window alone does: between the two cuts of the same picture the
# network's judgement moves by {glue:text}`judged_window:.3f` logits on average; turning the head moves it by {glue:text}`judged_pose:.3f`. **Where a crop depends on the varied attribute, its effect is the
# attribute's and the crop's together**, here in that proportion.
#
# ### A leak planted on purpose
#
# The Greenhouse can draw smiles that also brighten the picture: by $10\lambda$ % per unit of smiling. The authors' correction scales each picture by $1/(1+\delta)$, where $\delta$ is how
# much brighter its foreground is, on average, than that of its prototype.

# %%
def corrected(pictures, foreground, base, *, mask="described"):
    """Scaled to the prototype's mean foreground brightness, with PIL as in the authors' code; and δ, (n,)."""
    values = grey(pictures)
    if mask == "released":  # pixels below 255 once the background is white
        foreground = foreground & (np.round(pictures @ [0.299, 0.587, 0.114]) < 255)
    delta = mean_grey(values, foreground) / base - 1
    scaled = [ImageEnhance.Brightness(Image.fromarray(one)).enhance(1 / (1 + by))
              for one, by in zip(pictures, delta, strict=True)]
    return np.stack([np.asarray(one) for one in scaled]), delta


def mean_grey(values, foreground):
    """Mean grey of the foreground pixels, `(n,)`."""
    return (values * foreground).sum(axis=(1, 2)) / foreground.sum(axis=(1, 2))


# %% tags=["hide-input"]
lab = grid_table[grid_table["subset"].isin(["prototype", "smiling"]) & (grid_table["seed"] < n_leak_seeds)].reset_index(drop=True)
at_zero = lab.index[lab["smiling"] == 0]
base_row = pd.Series(at_zero, index=pd.MultiIndex.from_frame(lab.loc[at_zero, ["seed", "race", "gender"]]))
base_row = base_row.loc[pd.MultiIndex.from_frame(lab[["seed", "race", "gender"]])].to_numpy()
foreground = figure_mask(lab)
STRENGTHS, JUDGED = [0.0, 0.01, 0.03, 0.1, 0.3, 1.0], [0.0, 0.1, 0.3, 1.0]

leaky, clean = [], None
for strength in STRENGTHS:
    drawn_faces = faces.render(lab, leaks={"smiling_brightness": strength})
    base = mean_grey(grey(drawn_faces), foreground)[base_row]
    repaired, deltas = corrected(drawn_faces, foreground, base)
    _, released = corrected(drawn_faces, foreground, base, mask="released")
    seen = {"as drawn": drawn_faces, "corrected": repaired}
    if strength in JUDGED:
        judgement = {state: judged(those, lab, f"leak-{strength}-{state}") for state, those in seen.items()}
        clean = judgement["as drawn"] if clean is None else clean
    for state, those in seen.items():
        change = 100 * (mean_grey(grey(those), foreground) / base - 1)
        sign = np.sign(grey(those) - grey(those)[base_row])[(lab["smiling"] == 4).to_numpy()].mean(axis=0)
        slopes = [stats.linregress(lab["smiling"][own], change[own]).slope for own in lab.groupby("seed").groups.values()]
        leaky.append({"λ": strength, "state": state, "slope": np.mean(slopes), "half": 1.96 * stats.sem(slopes),
                      "map": (np.abs(sign) > 0.5).mean(), "released δ off": np.abs(released - deltas).max(),
                      "distortion": np.abs(judgement[state] - clean).mean() if strength in JUDGED else np.nan})
leaky = pd.DataFrame(leaky)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(1, 2, height=3.4)
wide = {name: leaky.pivot(index="λ", columns="state", values=name) for name in ("slope", "half", "distortion", "map")}
for axis, name, label in ((axes[0, 0], "slope", "brightness, % per unit of smiling"), (axes[0, 1], "distortion", "mean change in Δcos, logits")):
    for state, colour in (("as drawn", vb.figures.COLOURS["planted"]), ("corrected", vb.figures.COLOURS["recomputed"])):
        line = wide[name][state].dropna()
        axis.plot(line.index, line, "o-", color=colour, label=state)
    axis.set(xlabel="planted leak λ", title=label)
    axis.title.set_fontsize(11)
fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
slope, half, distortion = wide["slope"]["as drawn"], wide["half"]["as drawn"], wide["distortion"]
mouth = float(slope[0.0])
visible = [strength for strength in STRENGTHS if slope[strength] - half[strength] > abs(mouth) + half[0.0]]
vb.note(mouth=mouth, visible=float(visible[0]) if visible else float("nan"), slope_full=float(slope[1.0]), slope_corrected=float(wide["slope"]["corrected"][1.0]),
     distorted=float(distortion["as drawn"][1.0]), distorted_half=float(distortion["as drawn"][0.3]), repaired=float(distortion["corrected"][1.0]),
     repaired_half=float(distortion["corrected"][0.3]), needless=float(distortion["corrected"][0.0]),
     released_off=100 * float(leaky["released δ off"].max()), map_clean=100 * float(wide["map"]["as drawn"][0.0]), map_little=100 * float(wide["map"]["as drawn"][0.01]))
vb.figures.show(fig, source="greenhouse", name="stimuli-leak",
    alt=f"Left: brightness rises by {slope[1.0]:.1f} per cent per unit of smiling at λ = 1 as drawn, by {wide['slope']['corrected'][1.0]:.2f} when corrected. "
    f"Right: the model's judgement moves by {distortion['as drawn'][1.0]:.2f} logits at λ = 1 as drawn, by {distortion['corrected'][1.0]:.2f} when corrected.",
    caption="What a planted leak does to brightness and to the model's judgement (mean absolute change from pictures without leak), before and after the correction.")

# %% [markdown]
# **The check of brightness sees it early.** Without a leak, brightness changes by {glue:text}`mouth:.3f` % per unit of smiling: the mouth. The smallest planted
# leak that stands clear of this is λ = {glue:text}`visible:.2f`. At λ = 1 the slope is {glue:text}`slope_full:.1f` %, and {glue:text}`slope_corrected:.2f` % after the correction.
#
# **The correction undoes it where it can.** In the model's judgement, what λ = 0.3 distorts by {glue:text}`distorted_half:.3f` logits on average is {glue:text}`repaired_half:.3f` after correction; at
# λ = 1, {glue:text}`distorted:.3f` and {glue:text}`repaired:.3f`. What is left was clipped: a pixel that the leak drove to white stays flat whatever it is divided by. And where *nothing*
# leaked, correcting still moves judgements by {glue:text}`needless:.3f` logits, since it takes the mouth's own brightness for a leak. The authors "observed only minor differences" between adjusted
# and unadjusted pictures; that comparison bounds what the correction did, not what a leak of another kind would do.
#
# **The map of groups cannot see it at all.** It compares groups at smiling 0, and in every group the leak is the same: the maps above would not change by a single pixel.
# A map of *smiling 4 against 0* sees it at once, but cannot size it: {glue:text}`map_clean:.0f` % of positions agree in sign over most seeds without a leak, {glue:text}`map_little:.0f` % at λ = 0.01. The sign
# of a difference says how *often*, never how *much*.
#
# ### What a map of grey values cannot see
#
# Four changes to one and the same set of prototypes: what the map shows, and what the network makes of it.

# %% tags=["hide-input"]
prototypes = grid_table[(grid_table["subset"] == "prototype") & (grid_table["race"] == "teal") & (grid_table["gender"] == "budded")].reset_index(drop=True)
original = faces.render(prototypes)
CHANGES = {
    "another hue, equal grey": faces.render(prototypes.assign(race="violet")),
    "the other crest": faces.render(prototypes.assign(gender="eared")),
    "moved sideways by 3 pixels": np.roll(original, 3, axis=2),
    "brighter by 2 %": np.clip(original * 1.02 + 0.5, 0, 255).astype(np.uint8),
}

before, blind = judged(original, prototypes, "prototypes"), []
for name, pictures_ in CHANGES.items():
    per_seed = np.sign(grey(original) - grey(pictures_))
    _, _, bound = chance(per_seed)
    blind.append({"change": name, "pixels that differ": (original != pictures_).any(axis=3).mean(), "largest |X|": np.abs(per_seed.mean(axis=0)).max(),
                  "map beyond chance": (np.abs(per_seed.mean(axis=0)) > bound).mean(),
                  "network: mean |change|, logits": np.abs(judged(pictures_, prototypes, name) - before).mean()})
blind = pd.DataFrame(blind).set_index("change")
vb.note(blind_hue=100 * float(blind["map beyond chance"].iloc[0]), blind_hue_network=float(blind.iloc[0, 3]),
     blind_move=100 * float(blind["map beyond chance"].iloc[2]), blind_move_pixels=100 * float(blind["pixels that differ"].iloc[2]), blind_move_network=float(blind.iloc[2, 3]),
     blind_bright=100 * float(blind["map beyond chance"].iloc[3]), blind_bright_network=float(blind.iloc[3, 3]),
     same=said_as.verb(stats.spearmanr(blind["map beyond chance"], blind.iloc[:, 3]).statistic, above=0.99, then="is", else_="is not"))
blind.style.format({"pixels that differ": "{:.0%}", "largest |X|": "{:.2f}", "map beyond chance": "{:.1%}", "network: mean |change|, logits": "{:.2f}"})

# %% [markdown]
# The whole face takes on another hue, the network's judgement moves by {glue:text}`blind_hue_network:.2f` logits, and {glue:text}`blind_hue:.1f` % of the map is beyond chance: our hues have equal grey
# by design. Moving the picture changes {glue:text}`blind_move_pixels:.0f` % of its pixels and the judgement by {glue:text}`blind_move_network:.2f` logits; the map shows it along outlines that all seeds share
# ({glue:text}`blind_move:.1f` %), not in hair, garment and background, which differ from seed to seed. Brightening everything by 2 % moves the judgement by {glue:text}`blind_bright_network:.2f`
# and lights up {glue:text}`blind_bright:.0f` % of the map. So the order of the map {glue:text}`same` the order of what matters to the model, and in general neither follows from the other: **a blank map is no certificate, and a bright one is no alarm.**
# A check for the model at hand is to show it the leak alone, as in the right panel above.

# %% [markdown]
# ## Where paper and code differ
#
# From an audit of the authors' repository at commit `a2daa85`, checked against the paper's text:
#
# | | paper | code | here |
# |---|---|---|---|
# | images (H10) | "18,000 unique images" | four stacked tables, 19,800 rows, the prototype in each | counted above |
# | FairFace (H11) | "108,501 face images" | reads only the training labels (86,744 rows, inferred) | moves no number: the size is quoted, what is used is counted |
# | building the corrected smiles (H17) | – | the loader as shipped (`CORRECT_SMILING` True) looks for corrected files only, so the script that makes them finds none | moves no number: the switch is to be turned for that step. Likewise scripts that stop early or need older packages |
# | brightness maps (H14) | "the male and female prototype within a seed" | all ten ages, 3,000 pairs for gender | both, {ref}`above <stimuli-maps>` |
# | how many pairs | "$n$ is the number of seeds" | three pairs per seed for gender, two for each pair of races, times ages | counted above |
# | Equation 12 | sums $i = 0 \ldots n$, divides by $n$ | the mean | the mean |
# | foreground | "binary masks for faces" | grey below 255 in the picture whose background was removed | both: with planted leaks, δ differs by at most {glue:text}`released_off:.2f` points |
# | missing files | – | skipped silently | counted by `vlmbias sources check causalface PATH` |
#
# **On the sign.** The captions of S.10 and S.11 agree with Equation 13 if red stands for positive values and the male prototype comes first; so we draw them like this.
#
# :::{admonition} Rerun this with your own parameters
# :class: tip
# ```
# .venv/bin/vlmbias run causalface/stimuli -p protocol released -p n_seeds 50
# ```
# With the real pictures: `-p stimuli causalface -p root PATH`. The third section always uses the laboratory's own faces.
# :::

# %% [markdown]
# ## Take-aways
#
# - A grid makes attributes independent of each other by design. Whether the *pictures* differ in nothing else is a second question, and needs its own checks.
# - A map of signs says how often, not how much; and the unit is the seed, however many pictures each seed has.
# - Chance has the shape of a face. Compare a map with maps of chance, and ask for more than chance gives anywhere in the picture.
# - Correcting brightness removes a leak of brightness, except what was clipped; it also removes the part of the change that was meant.
# - What no check looked for (position, hue at equal grey, texture) is not shown to be absent. Photograph collections do not even record it.

# %% [markdown]
# ## Exercises
#
# :::{exercise} How many seeds for a surplus of .04?
# :label: stimuli-seeds
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
# ```{solution-end}
# ```
#
# :::{exercise} A leak that differs between groups
# :label: stimuli-interaction
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
