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
# # Same architecture, other training data: who is misjudged?
#
# *Real models. Errors of fourteen MobileCLIPs, and rankings of five ViT-L/14, computed from what their authors and others published.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Two models are built alike and learn from other data. Do they misjudge the same people? And which counts for more, the data or the architecture?
#
# **Answer in short.** Not always. [Under one training recipe, models call photographs labelled Black men the wrong gender more often than those labelled Black women; under another, it is
# the other way round, in all {glue:text}`n_pairs` architectures.]{.holds #turned} [Of what differs between these models, {glue:text}`part.recipe:.0%` goes with the recipe and
# {glue:text}`part.architecture:.0%` with the architecture.]{.holds #recipe_most} But these are two recipes of one laboratory. [In rankings, five training sets of one architecture agree on
# who is favoured in {glue:text}`cells.agree` of {glue:text}`cells.all` cases.]{.holds #half_agree}
#
# **In 20 minutes:** {ref}`What the table holds <other-data-table>`, {ref}`Who is called the wrong gender? <other-data-gender>`, {ref}`Recipe or architecture? <other-data-shares>`,
# {ref}`What it means <other-data-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** rates and their intervals. For one section, skew and NDKL, as in the primer "[Rankings, skew and markedness](../../book/primers/ranking.md)".
#
# **Content note.** The page counts how often photographs of people get a wrong or degrading label. No photograph is shown. Every number is about models, none about people. Race and gender
# are labels of the data sets, mostly given by strangers.
# :::
#
# **We ran no model.** The numbers on this page were computed and published by others {cite:p}`vasu2024,faghri2025,groovylizard2024,radford2021`, or we computed them from what they
# published. We thank them for it.

# %% tags=["parameters", "hide-input"]
table = ""  # a CSV of your own with the columns of data/published/mobileclip_faces.csv, in its place; empty or a table
left_out = []  # architectures to leave out of the pairs, such as "s0"; none: all six; empty or a text
confidence = 0.95  # confidence level of the intervals of rates; from 0.5 to 0.999
results = "_build/results/real/other_data.json"  # where this notebook writes the values it recomputes

# %% tags=["hide-input"]
import numpy as np
import pandas as pd
from IPython.display import Code
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import vlmbias as vb
from vlmbias.external import facts

vb.figures.style()

# %% [markdown]
# (other-data-table)=
# ## What the table holds
#
# MobileCLIPs are models of the CLIP kind, most of them small, made at Apple. The first ones learned by one *recipe* {cite:p}`vasu2024`, the later ones by another {cite:p}`faghri2025`. A
# recipe is more than a set of pictures. The pictures were filtered in another way, other networks wrote additional captions, and other *teachers* were imitated. (A teacher is a model
# whose results another one learns to give.)
#
# Six architectures were trained by both recipes, on equally many examples. They make six *pairs*: the architecture stays the same, and the recipe changes. (The pair `s0` is not perfect.
# Its two versions read sentences with networks of different depth.)
#
# All models saw the same photographs, of FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`. So if two models differ, it is not because of the photographs. The first test
# asks which sentence fits a photograph better, "a photo of a man" or "a photo of a woman" {cite:p}`gadre2023`. We call it an *error* if this is not the gender in the data set. Guessing
# would make errors in half of the photographs. Here are three rows: `given` photographs of `n` got the label.

# %%
faces = facts.table("mobileclip_faces", table)
faces["given"] = faces["given"].clip(upper=faces["n"])
parts = faces["model"].str.partition("_")  # "mobileclip2_s0": recipe and architecture
faces["recipe"], faces["architecture"] = parts[0], parts[2]
faces["group"] = (faces["race"] + " " + faces["gender"]).str.removesuffix(" all")
faces["rate"] = faces["given"] / faces["n"]

FIRST, SECOND = "mobileclip", "mobileclip2"
made = faces.groupby("recipe")["architecture"].unique()
in_both = set(made.get(FIRST, [])) & set(made.get(SECOND, []))
pairs = [one for one in made.get(FIRST, []) if one in in_both and one not in left_out]
assert len(pairs) > 1, "the table needs two architectures trained by both recipes"
columns = ["model", "images", "group", "label", "n", "given"]
faces.query("label == 'wrong gender'")[columns].head(3)

# %% [markdown]
# A second table has the same test, with FairFace, for one architecture that was trained on five sets of data: ViT-L/14, as collected in open_clip {cite:p}`ilharco2021`. We counted its
# errors from published cosines {cite:p}`groovylizard2024`.

# %%
five = facts.table("vit_l14_gender")
five["group"] = five["race"] + " " + five["gender"]
five["rate"] = five["wrong"] / five["n"]
five.head(3).round(3)

# %% tags=["hide-cell"]
Code(facts.made_by("vit_l14_gender"), language="python")

# %% [markdown]
# (other-data-gender)=
# ## What came out
#
# ### Who is called the wrong gender?
#
# For each model, we ask which group of FairFace has the highest rate of errors.

# %%
gender = faces.query("label == 'wrong gender' and images == 'FairFace'")
highest = gender.loc[gender.groupby("model")["rate"].idxmax()]
print(highest.groupby(["recipe", "group"]).size())

five.loc[five.groupby("training")["rate"].idxmax(), ["training", "group", "wrong", "n"]]

# %% [markdown]
# The figure shows all models for two groups: photographs of people labelled Black women and Black men. We chose them after we had seen that they come first under the two recipes.

# %% tags=["hide-input"]
two, INK = ("Black women", "Black men"), (vb.figures.PEOPLE[0], vb.figures.PEOPLE[2])
called = {FIRST: "first recipe", SECOND: "second recipe"}
rows = gender[gender["group"].isin(two)].assign(wrong=gender["given"], block=gender["recipe"].map(called), row=gender["architecture"].str.replace("b_lt", "b, longer"))
rows = pd.concat([rows, five[five["group"].isin(two)].assign(block="ViT-L/14", row=five["training"].str.replace("CommonPool XL, unfiltered", "CommonPool"))])
rows = rows.dropna(subset=["block"])
blocks = {name: list(dict.fromkeys(own["row"])) for name in ("first recipe", "second recipe", "ViT-L/14") if len(own := rows[rows["block"] == name])}
fig, ((axis,),) = vb.figures.panels(height=6.4)
place, ticks, names = 0.0, [], []
for block, lines in blocks.items():
    axis.text(0.995, place - 0.75, block, ha="right", va="center", fontsize=9, fontweight="bold", transform=axis.get_yaxis_transform())
    for line in lines:
        for k, group in enumerate(two):
            own = rows[(rows["block"] == block) & (rows["row"] == line) & (rows["group"] == group)]
            if len(own):
                wrong, n = own["wrong"].iloc[0], own["n"].iloc[0]
                low, high = proportion_confint(wrong, n, 1 - confidence, method="wilson")
                spot = place - 0.14 + 0.28 * k
                axis.plot([100 * low, 100 * high], [spot, spot], color=INK[k], lw=1.5)
                axis.plot(100 * wrong / n, spot, "os"[k], color=INK[k], ms=5)
        ticks.append(place)
        names.append(line)
        place += 1
    place += 1.1
axis.set(yticks=ticks, yticklabels=names, xlabel="called the wrong gender, % of photographs", xlim=(0, None), ylim=(place - 0.9, -1.3))
axis.tick_params(axis="y", labelsize=8)
for k, group in enumerate(two):
    axis.plot([], [], "os"[k], color=INK[k], label=f"labelled {group}")
fig.legend(loc="outside upper left", ncols=2)
spans = {(block, group): rows[(rows["block"] == block) & (rows["group"] == group)] for block in blocks for group in two}
said = "; ".join(f"{block}, {group}: {100 * (own['wrong'] / own['n']).min():.0f} to {100 * (own['wrong'] / own['n']).max():.0f} %" for (block, group), own in spans.items())
vb.figures.show(
    fig,
    name="other-data-gender",
    alt=f"Rates of errors for photographs labelled Black women and Black men in {sum(len(lines) for lines in blocks.values())} models, in three blocks, with {confidence:.0%} intervals. {said}.",
    caption=f"How often FairFace's photographs of two groups are called the wrong gender, with {confidence:.0%} intervals over photographs. Chance is 50 %.",
    source=["published:mobileclip_faces", "published:vit_l14_gender"],
)

# %% tags=["hide-cell"]
def gap(own):
    """Rate of errors of Black women minus that of Black men, and whether its interval leaves out zero."""
    own = own.set_index("group")
    if not set(two) <= set(own.index):
        return None
    one, other = own.loc[two[0]], own.loc[two[1]]
    d = one["rate"] - other["rate"]
    half = stats.norm.ppf(0.5 + confidence / 2) * np.sqrt(sum(x["rate"] * (1 - x["rate"]) / x["n"] for x in (one, other)))
    return pd.Series({"difference": d, "clear": abs(d) > half})


def gaps(own, by):
    found = {name: gap(rows) for name, rows in own.groupby(by)}
    return pd.DataFrame({name: one for name, one in found.items() if one is not None}, index=["difference", "clear"]).T


top = {recipe: own["group"].value_counts() for recipe, own in highest.groupby("recipe")}
number = highest.groupby("recipe").size()
by_model, by_set = gaps(gender, "model"), gaps(five, "training")
other_photos = gaps(faces.query("label == 'wrong gender' and images == 'UTKFace'"), "model")
paired = {recipe: [f"{recipe}_{one}" for one in pairs] for recipe in (FIRST, SECOND)}
before, after = (by_model.reindex(paired[one])["difference"].to_numpy(float) for one in (FIRST, SECOND))
grew = (other_photos.reindex(paired[SECOND])["difference"].to_numpy(float) - other_photos.reindex(paired[FIRST])["difference"].to_numpy(float)) > 0
utk = faces.query("label == 'wrong gender' and images == 'UTKFace'")
utk_top = utk.loc[utk.groupby("model")["rate"].idxmax(), "group"].value_counts()
mean = gender.groupby(["recipe", "group"])["rate"].mean()
overall = gender.groupby("model")[["given", "n"]].sum()
overall = overall["given"] / overall["n"]
more = [overall[b] > overall[a] for a, b in zip(paired[FIRST], paired[SECOND], strict=True)]
women = gender[gender["group"].str.endswith("women")].pivot(index="group", columns="model", values="rate")
men = gender[gender["group"].str.endswith(" men")].groupby("model")[["given", "n"]].sum()
men = (men["given"] / men["n"]).reindex(paired[FIRST] + paired[SECOND])
five_top = five.sort_values("rate", ascending=False).groupby("training").head(2)
close = 0
for _, own in five_top.groupby("training"):
    p, n = own["rate"].to_numpy(), own["n"].to_numpy()
    close += p[0] - p[1] <= stats.norm.ppf(0.5 + confidence / 2) * np.sqrt((p * (1 - p) / n).sum())
vb.note(n_models=int(number.sum()), n_first=int(number.get(FIRST, 0)), n_second=int(number.get(SECOND, 0)), n_pairs=len(pairs), n_pairs_words=dict(enumerate(["Zero", "One", "Two", "Three", "Four", "Five", "Six"])).get(len(pairs), str(len(pairs))), close=int(close),
        black={name: mean.get((recipe, "Black women"), np.nan) for recipe, name in ((FIRST, "first"), (SECOND, "second"))},
        clear_sets=int((by_set["clear"].astype(bool) & (by_set["difference"] < 0)).sum()), utk_top=f"{utk_top.iloc[0]} of {utk_top.sum()}")
vb.holds(first_men=top.get(FIRST, {}).get("Black men", 0) == number.get(FIRST, -1), second_women=top.get(SECOND, {}).get("Black women", 0) == number.get(SECOND, -1),
         turned=bool(len(pairs) and (before < 0).all() and (after > 0).all()), none_women=bool(len(by_set) and (by_set["difference"] < 0).all()),
         grew=bool(len(pairs) and grew.all()), utk_asian=bool(utk_top.index[0] == "Asian men" and utk_top.iloc[0] > utk_top.sum() / 2), more_errors=bool(more and all(more)),
         some_close=close > 0, not_shift=bool(men[paired[SECOND]].mean() >= men[paired[FIRST]].mean()),
         all_women=bool(len(pairs) and all((women[b] > women[a]).all() for a, b in zip(paired[FIRST], paired[SECOND], strict=True))))

# %% [markdown]
# The answer depends on the recipe. [In all {glue:text}`n_first` models of the first recipe, photographs labelled Black men have the highest rate.]{.holds #first_men} [In all
# {glue:text}`n_second` models of the second, photographs labelled Black women have it.]{.holds #second_women} [The difference between these two groups turns round in every one of the
# {glue:text}`n_pairs` pairs.]{.holds #turned} For Black women, the mean rate is {glue:text}`black.first:.0%` under the first recipe and {glue:text}`black.second:.0%` under the second.
#
# [The second recipe also makes more errors in all, in every pair.]{.holds #more_errors} [Women of every group are called men more often.]{.holds #all_women} [Men are not called women less
# often on average, so the models do not merely say "man" more readily.]{.holds #not_shift}
#
# The ViT-L/14 side with the first recipe. [All five make more errors for Black men than for Black women]{.holds #none_women}, {glue:text}`clear_sets` of them beyond the uncertainty of
# sampling. Which group comes first differs between them, [but in {glue:text}`close` of the five, its lead is within the uncertainty.]{.holds #some_close}
#
# The photographs matter, too. [In UTKFace, photographs labelled Asian men have the highest rate in {glue:text}`utk_top` models.]{.holds #utk_asian} [There, too, the rate of Black women
# rises relative to that of Black men in every pair.]{.holds #grew}
#
# (other-data-pairs)=
# ### Which groups move the same way in all pairs?
#
# A model with many errors and one with few need a common scale. We take *log-odds*, the logarithm of errors divided by correct answers, with ½ added to both. Then we subtract each model's
# mean over groups. What is left is the model's *profile*: which groups get more errors than others, in this model.

# %%
def log_odds(k, n):
    """Log-odds of k in n, with ½ added to both counts."""
    return np.log((k + 0.5) / (n - k + 0.5))


def profiles(images, label):
    """Centred log-odds: groups × models of the pairs (recipe, architecture)."""
    own = faces.query("images == @images and label == @label")
    own = own[own["architecture"].isin(pairs) & own["recipe"].isin([FIRST, SECOND])]
    own = own.assign(value=log_odds(own["given"], own["n"]))
    wide = own.pivot(index="group", columns=["recipe", "architecture"], values="value")
    wide = wide.loc[list(dict.fromkeys(own["group"]))]  # groups as in the table
    return wide - wide.mean()


def change(profile):
    """Second recipe minus first: groups × architectures."""
    return (profile[SECOND] - profile[FIRST])[pairs]


def one_way(changes):
    """Whether all pairs move in one direction, group by group."""
    return (changes > 0).all(axis=1) | (changes < 0).all(axis=1)


both = {images: profiles(images, "wrong gender") for images in ("FairFace", "UTKFace")}
moved = {images: change(profile) for images, profile in both.items()}
coins = 2 * 0.5 ** len(pairs)  # chance that one group moves one way in all pairs
for images, changes in moved.items():
    same = one_way(changes)
    print(f"{images}: {same.sum()} of {len(same)}; coins: {coins * len(same):.1f}")

# %% [markdown]
# One change as a worked case, from the four counts and the means:

# %%
one = gender.query("architecture == @pairs[0]")
one = one.assign(value=log_odds(one["given"], one["n"]))
group = moved["FairFace"].index[1]
case = one[one["group"] == group].set_index("recipe")
centred = case["value"] - one.groupby("recipe")["value"].mean()
by_hand = centred[SECOND] - centred[FIRST]
assert np.isclose(by_hand, moved["FairFace"].loc[group, pairs[0]])
case[["architecture", "group", "n", "given", "value"]].round(2)

# %% tags=["hide-input"]
fig, axes = vb.figures.panels(2, 1, height=8.4, share_x=True)
for (axis,), (images, changes) in zip(axes, moved.items(), strict=True):
    own = faces.query("images == @images and label == 'wrong gender' and architecture in @pairs")
    variance = (1 / (own["given"] + 0.5) + 1 / (own["n"] - own["given"] + 0.5)).groupby([own["group"], own["architecture"]]).sum()
    steady = one_way(changes)
    for place, group in enumerate(changes.index):
        for k, name in enumerate(changes):
            spot = place + (k - (len(pairs) - 1) / 2) * 0.12
            half = stats.norm.ppf(0.5 + confidence / 2) * np.sqrt(variance[group, name])
            x = changes.loc[group, name]
            axis.plot([x - half, x + half], [spot, spot], color=vb.figures.COLOURS["pale"], lw=1, zorder=1)
            axis.plot(x, spot, "o", color=vb.figures.PALETTE[0], mfc=vb.figures.PALETTE[0] if steady[group] else "white", ms=4, zorder=2)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(yticks=range(len(changes)), yticklabels=changes.index, ylim=(len(changes) - 0.4, -0.6))
    axis.set_title(images, loc="left", fontsize=10)
    axis.tick_params(axis="y", labelsize=8)
axes[-1, 0].set_xlabel("change of the centred log-odds of an error,\nsecond recipe minus first")
vb.figures.show(
    fig,
    name="other-data-pairs",
    alt=" ".join(
        f"{images}: changes of {len(changes)} groups in {changes.shape[1]} pairs run from {changes.min().min():.1f} to {changes.max().max():.1f}; {one_way(changes).sum()} groups move one way in all pairs."
        for images, changes in moved.items()
    ),
    caption=f"Each dot is one pair: how a group's error changes with the recipe, relative to the mean over groups. Filled: all pairs move one way. "
    f"Pale lines: {confidence:.0%} intervals as if the two models had seen different photographs, so rather too wide. Groups stand in the order of the data sets.",
    source="published:mobileclip_faces",
)


# %% tags=["hide-cell"]
def apart(images):
    """As `profiles`, but women and men centred each by themselves."""
    wide = both[images]
    return wide - wide.groupby(wide.index.str.endswith("women")).transform("mean")


within = {images: change(apart(images)) for images in both}


def all_move(images, group, sign):
    """Whether this group moves in this direction in all pairs, among its gender."""
    return group in within[images].index and bool((sign * within[images].loc[group] > 0).all())


threshold = {}
for images, profile in both.items():
    step = change(profile).mean(axis=1)
    shift = step.groupby(step.index.str.endswith("women")).transform("mean")
    threshold[images] = (shift**2).sum() / (step**2).sum() if (step**2).sum() else np.nan
vb.note(moving={f"{images}": f"{one_way(changes).sum()} of {len(changes)}" for images, changes in moved.items()}, coins=coins * len(moved["FairFace"]), mostly=threshold["FairFace"])
vb.holds(many_move=all(one_way(changes).sum() > 3 * coins * len(changes) for changes in moved.values()),
         women_up=bool((moved["FairFace"].filter(like=" women", axis=0).mean(axis=1) > 0).all() and (moved["FairFace"].filter(regex=" men$", axis=0).mean(axis=1) < 0).all()),
         mostly_threshold=threshold["FairFace"] > 0.5, robust_black=all(all_move(images, "Black women", 1) and all_move(images, "Black men", -1) for images in both),
         robust_asian=all_move("FairFace", "East Asian men", 1) and all_move("UTKFace", "Asian men", 1), robust_white=all(all_move(images, "White men", 1) for images in both))

# %% [markdown]
# [Most groups move one way in all pairs, far more than if each pair tossed a coin]{.holds #many_move}: {glue:text}`moving.FairFace` in FairFace, {glue:text}`moving.UTKFace` in UTKFace.
# For the first, coins would give {glue:text}`coins:.1f`. We give no p-value: six pairs of two recipes are one comparison of recipes, not six.
#
# [In FairFace, all groups of women move up on average and all groups of men down.]{.holds #women_up} [This is most of the mean change there:
# {glue:text}`mostly:.0%`.]{.holds #mostly_threshold} So we also compare women with women only, and men with men. What remains is about race. [For photographs labelled Black, errors rise
# among women and fall among men, in all pairs and with both sets of photographs.]{.holds #robust_black} [For those labelled East Asian (in UTKFace: Asian), they rise among men, in all
# pairs]{.holds #robust_asian}, [and so they do for those labelled White.]{.holds #robust_white}
#
# (other-data-shares)=
# ### Recipe or architecture?
#
# Now we split the variation of the profiles. One part is common to all {glue:text}`n_twelve` models of the pairs. What differs between them goes with the recipe, with the architecture, or
# with neither.

# %%
def split(profile):
    """Sums of squares of what differs between models, added up over groups."""
    differs = profile.sub(profile.mean(axis=1), axis=0)
    recipe = differs.T.groupby(level="recipe").transform("mean").T
    architecture = differs.T.groupby(level="architecture").transform("mean").T
    rest = differs - recipe - architecture
    pieces = {"recipe": recipe, "architecture": architecture, "neither": rest}
    return pd.Series({name: (one**2).to_numpy().sum() for name, one in pieces.items()})


def by_sampling(images, label):
    """What `split` gives to the architecture if only the counts vary (binomial)."""
    own = faces.query("images == @images and label == @label")
    own = own[own["architecture"].isin(pairs) & own["recipe"].isin([FIRST, SECOND])]
    variance = 1 / (own["given"] + 0.5) + 1 / (own["n"] - own["given"] + 0.5)
    groups, models = own["group"].nunique(), 2 * len(pairs)
    return variance.sum() * (1 - 1 / groups) * (len(pairs) - 1) / models


def shares(images, label):
    """In one row: the common share of all; of what differs, who carries how much."""
    profile = profiles(images, label)
    differs, whole = split(profile), (profile**2).to_numpy().sum()
    row = differs / differs.sum()
    row["sampling alone"] = by_sampling(images, label) / differs.sum()
    return pd.concat([pd.Series({"common to all": 1 - differs.sum() / whole}), row])


carried = pd.DataFrame({images: shares(images, "wrong gender") for images in both}).T
free = np.array([1, len(pairs) - 1, len(pairs) - 1])  # degrees of freedom
chance = pd.Series(free / free.sum(), ["recipe", "architecture", "neither"])
carried.loc["if nothing mattered"] = chance
(100 * carried).round(0)

# %% [markdown]
# All numbers are per cent. The first column is of everything; the next three are of what differs. The last column is what sampling alone would give to the architecture, if each model had
# photographs of its own. They had the same ones, so this is rather too large.
#
# Is the change large? One model of the first recipe, `b`, was also trained almost three times as long. That gives a yardstick:

# %%
wide = gender.assign(value=log_odds(gender["given"], gender["n"]))
wide = wide.pivot(index="group", columns="model", values="value")
wide = wide - wide.mean()


def distance(one, other):
    """Root mean square difference of two profiles; none if a model is missing."""
    there = {one, other} <= set(wide)
    return np.sqrt(((wide[one] - wide[other]) ** 2).mean()) if there else np.nan


yardstick = {
    "longer training": distance("mobileclip_b_lt", "mobileclip_b"),
    "other recipe": distance("mobileclip2_b", "mobileclip_b"),
}
pd.Series(yardstick).round(2)

# %% tags=["hide-cell"]
def kept(images, label, which=None, centre="all"):
    """A line of the table of sensitivity: how many groups move one way, and the shares."""
    profile = apart(images) if centre == "women and men apart" else profiles(images, label)
    if centre == "not centred":
        own = faces.query("images == @images and label == @label and architecture in @pairs")
        profile = own.assign(value=log_odds(own["given"], own["n"])).pivot(index="group", columns=["recipe", "architecture"], values="value")
    use = [one for one in pairs if which is None or one in which]
    profile = profile[[(recipe, one) for recipe in (FIRST, SECOND) for one in use]]
    same, parts = one_way((profile[SECOND] - profile[FIRST])[use]), split(profile)
    return {"move one way": f"{same.sum()} of {len(same)}", **(100 * parts / parts.sum()).round(0)}


CRIME = "crime-related label"
without = [one for one in pairs if one != "s0"]
sensitivity = pd.DataFrame({
    f"{images}, {name}": kept(images, "wrong gender", which, centre)
    for images in both
    for name, which, centre in (("as above", None, "all"), ("without s0", without, "all"), ("log-odds not centred", None, "not centred"), ("women and men apart", None, "women and men apart"))
}).T
forced = pd.DataFrame({images: shares(images, CRIME) for images in both}).T
centred_sets = five.assign(value=log_odds(five["wrong"], five["n"])).pivot(index="group", columns="training", values="value")
centred_sets = centred_sets - centred_sets.mean()
in_common = (centred_sets.mean(axis=1) ** 2).sum() * centred_sets.shape[1] / (centred_sets**2).to_numpy().sum()
recipes = both["FairFace"].T.groupby(level="recipe").mean().T
alike = {name: recipes.corrwith(centred_sets[name]) for name in centred_sets}
teachers = [name for name in ("OpenAI", "DataComp-1B") if name in centred_sets]
strangers = [name for name in centred_sets if name not in teachers]
main, other = carried.loc["FairFace"], carried.loc["UTKFace"]
vb.note(part=main[["recipe", "architecture"]].to_dict(), part_utk=other["recipe"], chance=chance["recipe"], n_twelve=2 * len(pairs),
        least=gender.loc[gender["architecture"].isin(pairs), "given"].min(),
        apart=float(sensitivity.loc["FairFace, women and men apart", "recipe"]) / 100, apart_utk=float(sensitivity.loc["UTKFace, women and men apart", "recipe"]) / 100,
        in_common=in_common, r_teachers=np.mean([alike[name][FIRST] for name in teachers]), r_strangers=np.mean([alike[name][FIRST] for name in strangers]),
        r_recipes=recipes[FIRST].corr(recipes[SECOND]),
        r_second=max(alike[name][SECOND] for name in alike))
vb.holds(recipe_most=main["recipe"] > 2 * chance["recipe"] and main["recipe"] > 0.5, recipe_most_utk=other["recipe"] > 2 * chance["recipe"] and other["recipe"] > 0.5,
         architecture_rest=max(main["architecture"] / main["neither"], other["architecture"] / other["neither"]) < 1.5,
         architecture_noise=main["architecture"] <= main["sampling alone"], noise_less_utk=other["architecture"] > other["sampling alone"],
         common_most=min(main["common to all"], other["common to all"]) > 0.5,
         yard=yardstick["other recipe"] > 2 * yardstick["longer training"], apart_still=min(float(sensitivity.loc[f"{images}, women and men apart", "recipe"]) for images in both) > 50,
         teacher_not=np.mean([alike[name][FIRST] for name in teachers]) < np.mean([alike[name][FIRST] for name in strangers]), sets_common=in_common > 0.5,
         always=bool((sensitivity["recipe"].astype(float) > 50).all()), same_way=bool(main["recipe"] > 0.5 and main["architecture"] < 1.5 * main["neither"]),
         second_unlike=max(alike[name][SECOND] for name in alike) < 0.5)

# %% [markdown]
# First, the models agree to a good extent. [More than half of all variation is common to them.]{.holds #common_most} They saw the same photographs and sentences.
#
# What differs goes mostly with the recipe: [{glue:text}`part.recipe:.0%` in FairFace]{.holds #recipe_most} and [{glue:text}`part_utk:.0%` in UTKFace.]{.holds #recipe_most_utk} If nothing
# mattered, it would get {glue:text}`chance:.0%`. [Another recipe also changes the profile of `b` much more than longer training does.]{.holds #yard}
#
# The architecture carries little. [It has about as much as "neither", as it would if it did not matter.]{.holds #architecture_rest} [In FairFace, its share is no larger than sampling
# alone could make it]{.holds #architecture_noise}; [in UTKFace, it is larger.]{.holds #noise_less_utk}
#
# :::{dropdown} Details: other definitions, and are students like their teachers?
# - The next cell has the table. [With women and men centred each by themselves, the recipe still carries most: {glue:text}`apart:.0%` in FairFace, {glue:text}`apart_utk:.0%` in
#   UTKFace.]{.holds #apart_still} [So it does without the imperfect pair `s0`, and without centring.]{.holds #always}
# - Some counts are small: the smallest is {glue:text}`least:.0f` errors of a group. This is why ½ is added.
# - That the versions of `s0` differ is in the configuration files of the repository: one text network has 12 layers, the other 4 of another kind.
# - The profiles of the five ViT-L/14 resemble each other, too. [They have {glue:text}`in_common:.0%` of their variation in common.]{.holds #sets_common}
# - Two of the five, OpenAI and DataComp-1B, were the teachers of the first recipe, as its configuration files say. The first recipe's mean profile correlates with theirs by
#   {glue:text}`r_teachers:.2f` on average. [But with the other three, which it never saw, it correlates even more: {glue:text}`r_strangers:.2f`.]{.holds #teacher_not} So this is no proof
#   that a student takes errors from its teacher.
# - [The second recipe's mean profile correlates with none of the five by more than {glue:text}`r_second:.2f`]{.holds #second_unlike}, and with that of the first recipe by {glue:text}`r_recipes:.2f`.
# :::

# %% tags=["hide-cell"]
sensitivity

# %% [markdown]
# (other-data-rankings)=
# ### One architecture, five training sets: who is at the top of a ranking?
#
# The first paper measures rankings. We rank FairFace's photographs by their cosine with a sentence and look at the first 1,000. *Skew@1000* is the logarithm of a group's share among them,
# divided by its share among all. It is positive if the group is favoured. *NDKL* says how far all groups are from their shares, along the whole ranking.
#
# The sentences name a gender. So gender is a *positive control*, a case in which an effect must show. The question is race, which no sentence names.

# %%
ranked = facts.table("vit_l14_rankings")
skews = ranked[ranked["measure"].str.startswith("skew")].copy()
skews["group"] = skews["measure"].str.partition(" of ")[2]
skews["beyond"] = ~skews["value"].between(skews["chance_low"], skews["chance_high"])

race = skews[skews["of"] == "race"]
cells = race.pivot(index=["sentence", "group"], columns="training", values="value")
agree = (cells > 0).all(axis=1) | (cells < 0).all(axis=1)
by_coins = len(cells) * 2 * 0.5 ** cells.shape[1]
print(f"one sign in all: {agree.sum()} of {len(cells)}; coins {by_coins:.1f}")
print(f"beyond what random rankings give: {race['beyond'].sum()} of {len(race)}")

clear = race[race["beyond"]]
clear = clear.pivot(index=["sentence", "group"], columns="training", values="value")
against = (clear > 0).any(axis=1) & (clear < 0).any(axis=1)
cells[agree | cells.index.isin(clear.index[against])].assign(against=against).round(2)

# %% tags=["hide-cell"]
Code(facts.made_by("vit_l14_rankings"), language="python")

# %% tags=["hide-input"]
sentences = list(dict.fromkeys(race["sentence"]))
groups = [one for one in dict.fromkeys(faces.loc[faces["images"] == "FairFace", "race"]) if one in set(race["group"])] or list(dict.fromkeys(race["group"]))
sets = list(dict.fromkeys(race["training"]))
drawn = race.set_index(["sentence", "group", "training"])
fig, axes = vb.figures.panels(1, len(sentences), height=5.4, share_y=True)
for axis, sentence in zip(axes[0], sentences, strict=True):
    for place, group in enumerate(groups):
        for k, name in enumerate(sets):
            own = drawn.loc[(sentence, group, name)]
            spot = place + (k - (len(sets) - 1) / 2) * 0.15
            if not k:
                axis.fill_betweenx([place - 0.42, place + 0.42], own["chance_low"], own["chance_high"], color=vb.figures.COLOURS["grid"], lw=0, zorder=0)
            axis.plot([own["low"], own["high"]], [spot, spot], color=vb.figures.PALETTE[k], lw=1)
            axis.plot(own["value"], spot, "osD^v"[k % 5], color=vb.figures.PALETTE[k], ms=4)
    axis.axvline(0, color=vb.figures.COLOURS["reference"], lw=1, zorder=0)
    axis.set(yticks=range(len(groups)), yticklabels=[one.replace(" ", "\n") for one in groups], ylim=(len(groups) - 0.5, -0.5), xlabel="skew@1000")
    axis.set_title(f"“{sentence}”", loc="left", fontsize=9)
for k, name in enumerate(sets):
    axes[0, 0].plot([], [], "osD^v"[k % 5], color=vb.figures.PALETTE[k], ms=4, label=name)
fig.legend(loc="outside upper left", ncols=2)
vb.figures.show(
    fig,
    name="other-data-rankings",
    alt=f"Skew at 1000 of {len(groups)} races in rankings by {len(sentences)} sentences, for {len(sets)} training sets of one architecture, with 95 % intervals; "
    f"values from {race['value'].min():.1f} to {race['value'].max():.1f}. Bands of chance reach about {race['chance_low'].min():.2f} to {race['chance_high'].max():.2f}.",
    caption="One architecture, ViT-L/14, trained on five sets; 10,954 photographs. Grey: 95 % of random rankings. Lines: 95 % intervals over photographs. "
    "Right of zero: a larger share among the first 1,000 than among all.",
    source="published:vit_l14_rankings",
)

# %% tags=["hide-cell"]
POOL = "CommonPool XL, unfiltered"
four_clear = clear.drop(columns=POOL, errors="ignore")
four_against = (four_clear > 0).any(axis=1) & (four_clear < 0).any(axis=1)
control = skews[skews["of"] == "gender"]
named = [(sentence.endswith(" man")) == (group == "men") for sentence, group in zip(control["sentence"], control["group"], strict=True)]
right = np.sign(control["value"]) == np.where(named, 1, -1)
ndkl = ranked[ranked["measure"] == "NDKL"]
by_race = ndkl[ndkl["of"] == "race"].pivot(index="sentence", columns="training", values="value")
man = cells.xs("Black", level="group") if "Black" in cells.index.get_level_values("group") else pd.DataFrame(np.nan, index=sentences, columns=sets)
filtered = "DataComp-1B"
vb.note(cells={"all": len(cells), "agree": int(agree.sum()), "coins": by_coins, "beyond": f"{race['beyond'].sum()} of {len(race)}", "five_percent": 0.05 * len(race), "against": int(against.sum())},

        pool=man.iloc[0].get(POOL, np.nan), filtered=man.iloc[0].get(filtered, np.nan))
vb.holds(half_agree=by_coins < agree.sum() <= 0.6 * len(cells), most_beyond=bool(0.5 < race["beyond"].mean() < 1), some_against=against.sum() > 0,
         only_pool=bool(against.sum() and not four_against.any()), control_all=bool(right.all() and control["beyond"].all()),
         pool_alone=bool(POOL in man and (np.sign(man[POOL].to_numpy())[:, None] != np.sign(man.drop(columns=POOL).to_numpy())).all()),
         pool_turns=bool({POOL, filtered} <= set(man) and man.iloc[0][POOL] > 0 > man.iloc[0][filtered]),
         pool_uneven=bool(POOL in by_race and (by_race[POOL] > by_race.drop(columns=POOL).max(axis=1)).all()))

# %% [markdown]
# The control works: [for gender, all skews have the expected sign and lie far beyond chance.]{.holds #control_all}
#
# For race, the training sets agree only in part. [In {glue:text}`cells.agree` of {glue:text}`cells.all` cases (a race and a sentence), all five have the same sign]{.holds #half_agree};
# coins would give {glue:text}`cells.coins:.1f`. (The sets overlap, so some agreement is to be expected.) This is not noise: [most skews, though not all, lie beyond what random rankings
# give]{.holds #most_beyond}: {glue:text}`cells.beyond`, where chance would give {glue:text}`cells.five_percent:.1f`. [In {glue:text}`cells.against` cases, one training set clearly favours
# a group that another clearly disfavours.]{.holds #some_against}
#
# [All these contradictions involve one set, the unfiltered CommonPool.]{.holds #only_pool} DataComp-1B is a selection from this pool, made by filters {cite:p}`gadre2023`. So these two
# models show what selecting did. [The unfiltered pool alone favours photographs labelled Black, for both sentences.]{.holds #pool_alone} [For "a photo of a man", their skew is
# {glue:text}`pool:.2f` with the pool and {glue:text}`filtered:.2f` after filtering.]{.holds #pool_turns} [NDKL is highest for the unfiltered pool with both
# sentences.]{.holds #pool_uneven} Each model was trained once.
#
# (other-data-forced)=
# ### A forced choice among 21 labels
#
# The MobileCLIPs took another test, from the CLIP paper {cite:p}`radford2021,agarwal2021`. The model chooses the best of 21 labels for each photograph. Fourteen name a race and a gender.
# Four are not human, and three are about crime. There is no "none of these".
#
# So a rate depends on the list. A photograph may get one of the last three labels because none of the 14 names fits it well. UTKFace's groups *Asian* and *Other*, for example, have no
# name of their own in the list. A choice at random would give one of these three labels to {glue:text}`at_random:.0%` of the photographs.

# %% tags=["hide-cell"]
KINDS = {CRIME: "crime_related", "non-human label": "non_human"}
printed = facts.table("clip_paper_rates").set_index("race")
lines = []
for (label, images, group), own in faces[faces["label"].isin(KINDS)].groupby(["label", "images", "group"], sort=False):
    line = {"label": label, "photographs": images, "group": group, "n": int(own["n"].iloc[0])}
    for recipe, name in ((FIRST, "first recipe"), (SECOND, "second recipe")):
        counts = own.loc[own["recipe"] == recipe, "given"]
        line[f"{name}, counts"] = f"{counts.min():.0f} to {counts.max():.0f}" if len(counts) else ""
        line[f"{name}, %"] = f"{100 * counts.min() / line['n']:.1f} to {100 * counts.max() / line['n']:.1f}" if len(counts) else ""
    line["CLIP paper, %"] = printed[KINDS[label]].get(group, np.nan) if images == "FairFace" else np.nan
    lines.append(line)
pd.DataFrame(lines).sort_values(["label", "photographs"], kind="stable").set_index(["label", "photographs", "group"])

# %% tags=["hide-cell"]
choices = pd.concat({images: change(profiles(images, CRIME)) for images in both}, names=["photographs", "group"])
moves = {images: one_way(choices.loc[images]) for images in both}
asian = choices.index.get_level_values("group").str.contains("Asian")
white = choices.index.get_level_values("group") == "White"
crime = faces[faces["label"] == CRIME]
most = crime.loc[crime.groupby(["images", "model"])["rate"].idxmax()].groupby(["images", "recipe"])["group"].unique()
all_groups = {images: set(np.concatenate([list(found) for found in most.loc[images]])) for images in both}
nonhuman = faces[(faces["label"] == "non-human label") & (faces["images"] == "FairFace")]
worst = nonhuman.loc[nonhuman["rate"].idxmax()]
black = nonhuman[nonhuman["group"] == "Black"]
vb.note(at_random=3 / 21, moves={images: f"{own.sum()} of {len(own)}" for images, own in moves.items()}, worst=f"{worst['given']:.0f} of {worst['n']:.0f}",
        printed_black=printed["non_human"].get("Black", np.nan) / 100,
        black_most=f"{black['given'].max():.0f} of {black['n'].iloc[0]:.0f}" if len(black) else None)
vb.holds(forced_ways=bool((choices[asian] > 0).all(axis=None) and (choices[white] < 0).all(axis=None)), moves_too=all(own.sum() > len(own) / 2 for own in moves.values()),
         forced_recipe=min(forced["recipe"]) > 0.5, fairface_one=all_groups["FairFace"] == {"White"} and printed["crime_related"].idxmax() == "White",
         utkface_more=len(all_groups["UTKFace"]) > 1,
         utkface_recipe=bool({FIRST, SECOND} <= set(most.loc["UTKFace"].index) and not set(most["UTKFace", FIRST]) & set(most["UTKFace", SECOND])),
         nonhuman_low=len(black) > 0 and black["rate"].max() < printed["non_human"].get("Black", 0) / 100 / 10)
choices.assign(**{"one way": pd.concat(moves)}).round(2)

# %% [markdown]
# The recipe matters here, too. [The labels about crime move one way in all pairs for most groups]{.holds #moves_too}: {glue:text}`moves.FairFace` in FairFace, {glue:text}`moves.UTKFace`
# in UTKFace. [Relative to the mean, they rise for groups with "Asian" in their name and fall for those labelled White.]{.holds #forced_ways} [Of what differs between models, the recipe
# carries most.]{.holds #forced_recipe}
#
# Does one group have the highest rate in every model? That depends on the photographs. [In FairFace, it is the photographs labelled White, in all models and in the table of the CLIP
# paper.]{.holds #fairface_one} One reason may be the names: captions seldom say "white man", so this name may fit badly. [In UTKFace, no group has the highest rate in all
# models]{.holds #utkface_more}, [and the two recipes have no such group in common.]{.holds #utkface_recipe} Names, photographs and recipe decide about the order, so we make none. The
# folded table has all rates with their counts.
#
# :::{dropdown} Details: an old number from a forced choice among 21 labels
# The CLIP paper prints a rate of labels that are not human: {glue:text}`printed_black:.1%` for FairFace's photographs labelled Black. [In these {glue:text}`n_models` newer models, the
# rate of this group is less than a tenth of that: at most {glue:text}`black_most` photographs.]{.holds #nonhuman_low} The most for any group in FairFace is {glue:text}`worst`.
#
# Two users ran CLIP models that OpenAI released, and also report rates far below the printed ones (an issue in the repository of CLIP, number 157, and one in that of CLIP_benchmark,
# number 15). The paper's model, sentences and sample of photographs may have been others. So the old number should not be quoted for "CLIP" as such, and the new ones do not show what
# lowered it.
# :::
#
# ## What it cannot say
#
# - **Two recipes are two observations.** They come from one laboratory. Six pairs show that one change of recipe acts alike on six architectures. They do not show what the next recipe does.
# - **A recipe is not a set of data.** Pictures, filters, written captions and teachers changed together. Which of them moved the errors is open.
# - **The models are students.** All architectures of a recipe imitate the same teachers, which makes them alike. Architecture may carry more in models that learn alone.
# - **One training each.** No model was trained twice in the same way. So we do not know what another random start would change.
# - **Two sentences, labels by strangers.** "Wrong gender" means: not the gender in the data set. Other sentences may give other errors.
# - **For a user, all of it is real.** If another recipe errs about others, this does not undo the errors of the model in use.
#
# (other-data-means)=
# ## What it means for the three papers
#
# **Ghate et al.** conclude that training data predict bias, and that architecture hardly matters. In their regression, {claim}`upstream.significant-families` of nine data families differ
# significantly from the reference, while "none of the architectural families demonstrated a significant impact". [What we see points the same way.]{.holds #same_way} It is no test of
# their regression: they have {claim}`effect_sizes.models` models and ask how large an association is; we have two recipes of one laboratory and ask who is misjudged.
#
# **Hausladen et al.** measure one CLIP, and find that photographs of Black women stand out in several ways. [Here, who stands out among Black women and Black men turns with the
# recipe.]{.holds #turned} So such a finding should be repeated with models trained on other data, before it is said of "CLIP". Their measures of rankings make this easy to check: [here,
# {glue:text}`cells.agree` of {glue:text}`cells.all` cases keep their sign in five training sets.]{.holds #half_agree}
#
# **Wolfe and Caliskan** compare models that learned from different data. By what we see here, this says more than a comparison of architectures would.
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/other_data -p left_out s0
# .venv/bin/vlmbias run real/other_data -p table my_results.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - Say which data a model learned from before you say which architecture it has. Here, the first told more about its errors.
# - A group with the most errors is a finding about one model, one set of photographs and one pair of sentences. Change each of them once.
# - Compare women with women and men with men before you speak of race.
#
# ## Exercises
#
# :::{exercise} Without the pair that differs
# :label: other-data-five-pairs
# :level: intermediate
# :minutes: 15
# :code: yes
# The two versions of `s0` differ a little in architecture. Leave this pair out. What share of the differences in FairFace does the recipe carry then, and which share would it get by
# chance?
# :::
#
# ```{solution-start} other-data-five-pairs
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
rest = [one for one in pairs if one != "s0"]
fewer = both["FairFace"][[(recipe, one) for recipe in (FIRST, SECOND) for one in rest]]
pieces = split(fewer)
differs = fewer.sub(fewer.mean(axis=1), axis=0)
print(f"{pieces['recipe'] / pieces.sum():.0%}; by chance {1 / (2 * len(rest) - 1):.0%}")
assert np.isclose(pieces.sum(), (differs**2).to_numpy().sum()) and pieces["recipe"] >= 0

# %% [markdown]
# ```{solution-end}
# ```
#
# :::{exercise} Without the unfiltered pool
# :label: other-data-four-sets
# :level: introductory
# :minutes: 10
# :code: yes
# Leave out the unfiltered CommonPool. In how many cases of race and sentence do the other four training sets agree in sign? How many would coins give?
# :::
#
# ```{solution-start} other-data-four-sets
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
rest = cells.drop(columns="CommonPool XL, unfiltered")
same = np.abs(np.sign(rest).sum(axis=1)) == rest.shape[1]
print(f"{same.sum()} of {len(rest)}; coins {len(rest) * 2 * 0.5 ** rest.shape[1]:.2f}")
assert same.sum() >= agree.sum() and rest.shape[1] == cells.shape[1] - 1

# %% [markdown]
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. The second recipe gives a higher accuracy on ImageNet, as its authors report {cite:p}`faghri2025`, and more errors of gender. You choose a model for an application. What do you
# measure before you choose?
# 2. Filtering turned a group from favoured to disfavoured in a ranking. Nobody chose this. Who is responsible for it?
