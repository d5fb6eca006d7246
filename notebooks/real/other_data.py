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
# # Same architecture, another recipe: who is misjudged?
#
# *Real models. Errors of nineteen models, computed from published results.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Two models are built alike, but trained in different ways. Do they misjudge photographs of the same people?
#
# **Answer in short.** Not always. {glue:text}`n_pairs_words` of Apple's *architectures* (ways to build a model) were trained by two *recipes* (ways to train it). An *error* is: a model says
# "woman" for a photograph labelled man, or "man" for one labelled woman. Boys count as men, and girls as women. We compare people labelled Black women and Black men, chosen after we had
# seen the results.
#
# - [In FairFace, a collection of photographs, models of the first recipe make more errors for Black men than for Black women. Models of the second recipe make more for Black women.
#   Both are so in all {glue:text}`n_pairs` architectures.]{.holds #turned}
# - [In UTKFace, another collection, the two groups differ by at most {glue:text}`utk.most_first:.1f` percentage points under the first recipe. Under the second, the rate of errors for Black women
#   is at least {glue:text}`utk.low:.0f` points higher.]{.holds #utk_opens}
# - [Five other models, built alike, learned from different data. In FairFace, none makes more errors for Black women than for Black men.]{.holds #none_women} But two of them are
#   *teachers* of the first recipe: its models learned to imitate them.
# - [Some groups get more errors than others. Which groups these are goes mostly with the recipe, not with the architecture.]{.holds #recipe_most}
#
# So another recipe can change who is misjudged. Many of these photographs show children; whether it is so among adults is unknown. A recipe is more than its data, and both recipes come from one laboratory.
#
# **In 20 minutes:** {ref}`What the table holds <other-data-table>`, {ref}`Who is called the wrong gender? <other-data-gender>`, {ref}`Recipe or architecture? <other-data-shares>`,
# {ref}`What it means <other-data-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** rates and their intervals; for one section, skew, as in the primer "[Rankings, skew and markedness](../../book/primers/ranking.md)".
#
# **Content note.** The page counts wrong and degrading labels for photographs of people. None is shown. Race and gender are labels of the data sets, mostly given by strangers.
# :::
#
# **We ran no model.** We thank those who published these numbers, or what we computed them from {cite:p}`vasu2024,faghri2025,groovylizard2024,radford2021`.

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
# The first recipe comes from {cite:t}`vasu2024`, the second from {cite:t}`faghri2025`. They differ in pictures, captions, *teachers* (models whose results a new model learns to imitate), and in how a model
# imitates them.
#
# The table has {glue:text}`n_models` of Apple's models, called MobileCLIP. {glue:text}`n_pairs_words` architectures, such as `b` and `s0`, were trained by both recipes, on equally many
# examples. The two models of one architecture are a *pair*. The models {glue:text}`unpaired` have no partner, so the pairs hold {glue:text}`n_twelve` models.

# %%
faces = facts.table("mobileclip_faces", table)
faces["given"] = faces["given"].clip(upper=faces["n"])
FIRST, SECOND = "first recipe", "second recipe"
called = {"mobileclip": FIRST, "mobileclip2": SECOND}
parts = faces["model"].str.partition("_")  # "mobileclip2_s0": recipe and architecture
faces["recipe"], faces["architecture"] = parts[0].replace(called), parts[2]
faces["group"] = (faces["race"] + " " + faces["gender"]).str.removesuffix(" all")

made = faces.groupby("recipe")["architecture"].unique()
in_both = set(made.get(FIRST, [])) & set(made.get(SECOND, []))
pairs = [one for one in made.get(FIRST, []) if one in in_both and one not in left_out]
assert len(pairs) > 1, "the table needs two architectures trained by both recipes"

# %% [markdown]
# :::{dropdown} Details: recipes and models
# - Of the models without a partner, `b_lt` is `b`, trained longer.
# - The pair `s0` is not perfect: its two versions read sentences with networks of different depth.
# - Most models of the first recipe come from {cite:t}`vasu2024`. {cite:t}`faghri2025` trained `s3`, `s4` and `l14` by both recipes.
# - Each recipe has two teachers, of the architecture ViT-L/14. In the first, one is OpenAI's, and one learned from DataComp-1B, whose pictures this recipe uses, too. In the second, both learned
#   from DFN, data that a network selected.
# - In the second recipe's released program (for `b`), a model only imitates. In the first recipe's, the usual training of CLIP counts for a quarter, but not for models whose names begin with
#   `s`. The scale on which a model is compared with its teachers also differs.
# - `l14` is about as large as a teacher, and `s4` is larger.
# :::
#
# All models of this table judged the same photographs, of FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`. The test asks which sentence fits better, "a photo of a man" or "a photo of a
# woman" {cite:p}`gadre2023`. In the table, `n` is the number of photographs of a group, and `errors` how many of them got the wrong gender. A group is one race and one gender; FairFace has {glue:text}`n_groups` groups.

# %%
errors = faces[faces["label"] == "wrong gender"].rename(columns={"given": "errors"})
errors["rate"] = errors["errors"] / errors["n"]
in_fairface = errors[errors["images"] == "FairFace"]
in_fairface[["recipe", "architecture", "group", "n", "errors"]].head(3)

# %% [markdown]
# A second table has {glue:text}`n_five` more models ({glue:text}`n_all` in all), of the architecture ViT-L/14, with the same sentences and photographs of FairFace. Each learned from a different set of
# pictures and captions {cite:p}`ilharco2021`. We counted the errors from published scores {cite:p}`groovylizard2024,ceschini2025`. FairFace comes in two croppings; which was used, neither table says. So compare rates within a table.
#
# The chapter [Answers and probabilities](answers.ipynb) also has {glue:text}`n_labels` CLIP models. Only the {glue:text}`n_five` ViT-L/14 are in both chapters (that of LAION-400M is here trained for an epoch less).

# %%
counted = {"wrong": "errors", "wrong_adults": "errors_adults"}
five = facts.table("vit_l14_gender").rename(columns=counted)
five["group"] = five["race"] + " " + five["gender"]
five["errors_adults"] = five["errors_adults"].clip(upper=five["n_adults"])
five[["training", "group", "n", "errors"]].head(3)

# %% tags=["hide-cell"]
begins = {"openai": "OpenAI", "laion400m": "LAION-400M", "laion2b": "LAION-2B", "datacomp_xl": "DataComp-1B", "commonpool_xl": "CommonPool XL, unfiltered"}
labelled = facts.table("race_labels").query("compared == 'label sets'")[["architecture", "of"]].drop_duplicates()
shared = labelled.loc[labelled["architecture"] == "ViT-L-14", "of"].str.extract(f"^({'|'.join(begins)})", expand=False).map(begins)
vb.note(n_labels=len(labelled))
assert sorted(shared) == sorted(five["training"].unique()) and not labelled["architecture"].str.startswith("MobileCLIP").any()

# %% tags=["hide-cell"]
Code(facts.made_by("vit_l14_gender"), language="python")

# %% [markdown]
# (other-data-gender)=
# ## What came out
#
# ### Who is called the wrong gender?
#
# Below, "Black women" and "Black men" are short for photographs of people labelled so, at all ages. In FairFace, {glue:text}`young.black_men:.0%` of the Black men are under 20. We chose
# these groups because of a result: [of all {glue:text}`n_groups` groups of FairFace, Black men have the highest rate of errors in every model of the first recipe, and Black women have it in every
# model of the second.]{.holds #all_top}
#
# The rate of errors for Black women minus that for Black men, in percentage points, is *beyond
# chance* if its {glue:text}`confidence:.0%` interval, over photographs of such people, does not contain zero.

# %%
two = ["Black women", "Black men"]


def differences(own, by, wrong="errors", n="n", groups=two):
    """Rate of errors of the first group minus the second's; is it beyond chance?"""
    rate = own[wrong] / own[n]
    own = own.assign(rate=100 * rate, variance=100**2 * rate * (1 - rate) / own[n])
    wide = own.pivot(index=by, columns="group", values=["rate", "variance"])
    first, second = (wide["rate"].reindex(columns=groups)[one] for one in groups)
    error = np.sqrt(wide["variance"].reindex(columns=groups).sum(axis=1))
    points = first - second
    clear = points.abs() > stats.norm.ppf(0.5 + confidence / 2) * error
    return pd.DataFrame({"points": points, "clear": clear})


found = {images: differences(own, ["recipe", "architecture"])
         for images, own in errors.groupby("images")}
points = pd.DataFrame({
    (images, recipe): [found[images]["points"].get((recipe, one)) for one in pairs]
    for images in found for recipe in (FIRST, SECOND)
}, index=pairs, dtype=float)

# %% tags=["hide-input"]
INK = (vb.figures.PEOPLE[0], vb.figures.PEOPLE[2])
rows = errors[errors["group"].isin(two)].assign(block=errors["recipe"].where(errors["recipe"].isin([FIRST, SECOND])), row=errors["architecture"].str.replace("b_lt", "b, longer"))
rows = pd.concat([rows, five[five["group"].isin(two)].assign(images="FairFace", block="ViT-L/14", row=five["training"].str.replace("CommonPool XL, unfiltered", "CommonPool"))])
rows = rows.dropna(subset=["block"])
blocks = {name: list(dict.fromkeys(own["row"])) for name in ("first recipe", "second recipe", "ViT-L/14") if len(own := rows[rows["block"] == name])}
shown = [one for one in ("FairFace", "UTKFace") if one in set(rows["images"])]
fig, axes = vb.figures.panels(1, len(shown), height=6.6, share_y=True)
for axis, images in zip(axes[0], shown, strict=True):
    place, ticks, names = 0.0, [], []
    for block, lines in blocks.items():
        axis.text(0.99, place - 0.75, block, ha="right", va="center", fontsize=9, fontweight="bold", transform=axis.get_yaxis_transform())
        if not len(rows[(rows["block"] == block) & (rows["images"] == images)]):
            axis.text(0.5, place + len(lines) / 2 - 0.5, "not published", ha="center", va="center", fontsize=8, color=vb.figures.COLOURS["muted"], transform=axis.get_yaxis_transform())
        for line in lines:
            for k, group in enumerate(two):
                own = rows[(rows["block"] == block) & (rows["row"] == line) & (rows["group"] == group) & (rows["images"] == images)]
                if len(own):
                    wrong, n = own["errors"].iloc[0], own["n"].iloc[0]
                    low, high = proportion_confint(wrong, n, 1 - confidence, method="wilson")
                    spot = place - 0.14 + 0.28 * k
                    axis.plot([100 * low, 100 * high], [spot, spot], color=INK[k], lw=1.5)
                    axis.plot(100 * wrong / n, spot, "os"[k], color=INK[k], ms=5)
            ticks.append(place)
            names.append(line)
            place += 1
        place += 1.1
    axis.set(yticks=ticks, yticklabels=names, xlabel="errors, % of photographs", xlim=(0, None), ylim=(place - 0.9, -1.3))
    axis.set_title(images, loc="left", fontsize=10)
    axis.tick_params(axis="y", labelsize=8)
for k, group in enumerate(two):
    axes[0, 0].plot([], [], "os"[k], color=INK[k], label=f"labelled {group}")
fig.legend(loc="outside upper left", ncols=2)
spans = {key: 100 * own["errors"] / own["n"] for key, own in rows.groupby(["images", "block", "group"])}
vb.figures.show(
    fig,
    name="other-data-gender",
    alt=f"Rates of errors for photographs labelled Black women and Black men in {sum(len(lines) for lines in blocks.values())} models, with {confidence:.0%} intervals. "
    + "; ".join(f"{', '.join(key)}: {span.min():.0f} to {span.max():.0f} %" for key, span in spans.items()) + ".",
    caption=f"How often photographs of two groups are called the wrong gender. Each row is one model. The two scales differ. Lines: {confidence:.0%} intervals over photographs. A guess would be wrong in 50 %.",
    source=["published:mobileclip_faces", "published:vit_l14_gender"],
)

# %% tags=["hide-cell"]
def counts_by_group():
    """Errors of the pairs' models, group by group: from the smallest to the largest count."""
    own = errors[errors["architecture"].isin(pairs)]
    lines = {}
    for (images, group), found_here in own.groupby(["images", "group"], sort=False):
        line = {"n": int(found_here["n"].iloc[0])}
        for recipe in (FIRST, SECOND):
            given = found_here.loc[found_here["recipe"] == recipe, "errors"]
            line[f"{recipe}, errors"] = f"{given.min():.0f} to {given.max():.0f}"
            line[f"{recipe}, %"] = f"{100 * given.min() / line['n']:.1f} to {100 * given.max() / line['n']:.1f}"
        lines[images, group] = line
    return pd.DataFrame(lines).T


counts_by_group()

# %% tags=["hide-cell"]
def highest(images):
    """The group with the highest rate, by recipe and architecture."""
    own = errors[errors["images"] == images]
    top = own.loc[own.groupby("model")["rate"].idxmax()]
    return top.set_index(["recipe", "architecture"])["group"]


first_ff, second_ff, first_utk, second_utk = (points[images, recipe] for images in ("FairFace", "UTKFace") for recipe in (FIRST, SECOND))
same_sign = np.sign(points["FairFace"]) == np.sign(points["UTKFace"])
top = highest("FairFace")
mean = errors[errors["architecture"].isin(pairs)].groupby(["images", "recipe", "group"])["rate"].mean()
rates = {"ff": {f"{who}_{when}": mean.get(("FairFace", recipe, group), np.nan) for who, group in (("women", two[0]), ("men", two[1])) for when, recipe in (("first", FIRST), ("second", SECOND))}}
own = errors[(errors["images"] == "FairFace") & errors["architecture"].isin(pairs)]
own = own.assign(is_man=own["gender"] == "men", says_man=np.where(own["gender"] == "men", own["n"] - own["errors"], own["errors"]))
totals = own.groupby(["recipe", "architecture"])[["n", "says_man"]].sum()
says = totals["says_man"] / totals["n"]
men = own[own["is_man"]].groupby(["recipe", "architecture"])[["errors", "n"]].sum()
men_wrong = men["errors"] / men["n"]
rising = sum(men_wrong[SECOND, one] > men_wrong[FIRST, one] for one in pairs)
beyond = {images: {recipe: found[images]["clear"].reindex([(recipe, one) for one in pairs]).fillna(False).astype(bool) for recipe in (FIRST, SECOND)} for images in ("FairFace", "UTKFace")}
turns, beyond_by = {}, {}  # women minus men, race by race: does it turn in every pair, and where is it beyond chance?
for label in in_fairface["race"].unique():
    one = differences(in_fairface, ["recipe", "architecture"], groups=[f"{label} women", f"{label} men"])
    before, after = (one.reindex([(recipe, name) for name in pairs]) for recipe in (FIRST, SECOND))
    turns[label] = bool((before["points"] < 0).all() and (after["points"] > 0).all())
    beyond_by[label] = {"first": (before["clear"] == True).sum(), "second": (after["clear"] == True).sum(), "size": (after["points"].to_numpy() - before["points"].to_numpy()).mean()}  # noqa: E712
fully = {label for label in turns if turns[label] and beyond_by[label]["first"] == beyond_by[label]["second"] == len(pairs)}
vb.note(n_groups=errors.loc[errors["images"] == "FairFace", "group"].nunique(), n_models=faces["model"].nunique(), n_five=five["training"].nunique(), n_all=faces["model"].nunique() + five["training"].nunique(), n_pairs=len(pairs),
        n_pairs_words=dict(enumerate(["Zero", "One", "Two", "Three", "Four", "Five", "Six"])).get(len(pairs), str(len(pairs))),
        unpaired=" and ".join(one for one in faces["architecture"].unique() if one not in in_both), rates=rates, utk={"most_first": first_utk.abs().max(), "low": second_utk.min(), "high": second_utk.max()},
        rising=f"{rising} of {len(pairs)}", ff={"least_first": first_ff.abs().min()}, sets_agree=f"{same_sign.to_numpy().sum()} of {same_sign.size}")
vb.holds(turned=bool((first_ff < 0).all() and (second_ff > 0).all()),
         both_sides=rates["ff"]["women_second"] > rates["ff"]["women_first"] and rates["ff"]["men_second"] < rates["ff"]["men_first"],
         all_top=bool(FIRST in top and SECOND in top and (top[FIRST] == "Black men").all() and (top[SECOND] == "Black women").all()),
         utk_opens=bool(first_utk.abs().max() < 2 and second_utk.min() > 5 and beyond["UTKFace"][SECOND].all()),
         sets_agree=bool(same_sign.to_numpy().mean() > 0.9), sizes_apart=bool((first_ff.abs() > 3 * first_utk.abs()).all()),
         turned_clear=bool(beyond["FairFace"][FIRST].all() and beyond["FairFace"][SECOND].all()),
         indian_turns=bool(fully - {"Black"} == {"Indian"} and beyond_by["Indian"]["size"] < beyond_by.get("Black", {}).get("size", 0)),
         eastern_turns=bool({label for label in turns if turns[label]} - fully == {"Middle Eastern"} and beyond_by["Middle Eastern"]["first"] == 0),
         says_man=all(says[SECOND, one] > says[FIRST, one] for one in pairs), not_all=rising > len(pairs) / 2)

# %% [markdown]
# **In FairFace, the difference changes its sign.** [In every pair, Black men have more errors than Black women under the first recipe, and fewer under the second.]{.holds #turned}
# [Each of these differences is beyond chance.]{.holds #turned_clear} [On average over the pairs, the rate for Black women rises to {glue:text}`rates.ff.women_second:.0%` under the second recipe, and the rate for Black men falls to {glue:text}`rates.ff.men_second:.0%`.]{.holds #both_sides}
#
# **In UTKFace, a large difference appears.** [Under the first recipe, the two groups differ by at most {glue:text}`utk.most_first:.1f` points. Under the second, Black women have
# {glue:text}`utk.low:.0f` to {glue:text}`utk.high:.0f` points more errors than Black men.]{.holds #utk_opens} [So in {glue:text}`sets_agree` models, the two collections agree on which group has more errors,]{.holds #sets_agree} [but under the first recipe, not on how many more.]{.holds #sizes_apart}
#
# **Do other training data change the sign?** Here is the same difference in FairFace for each ViT-L/14, named by its training set. A minus means more errors for Black men.
# The last two columns count only people of 20 or older. The last two rows are Apple's `l14`. It is built almost like the ViT-L/14: mainly, its text network may use later words to
# understand a word. For MobileCLIPs, errors by age were not published.

# %%
every = differences(five, "training")
adults = differences(five, "training", "errors_adults", "n_adults")
l14 = found["FairFace"].reindex([(FIRST, "l14"), (SECOND, "l14")])
seven = pd.concat([every, l14.set_axis([f"l14, {FIRST}", f"l14, {SECOND}"])])
yes_or_no = {True: "yes", False: "no"}
pd.DataFrame({
    "all ages": seven["points"].round(1),
    "beyond chance": seven["clear"].map(yes_or_no),
    "20 or older": adults["points"].round(1),
    "beyond chance, 20 or older": adults["clear"].map(yes_or_no),
}, index=seven.index).astype(object).fillna("–")

# %% tags=["hide-cell"]
own = five[five["group"] == "Black men"]
most_errors = five.assign(rate=five["errors"] / five["n"])
most_errors = most_errors.loc[most_errors.groupby("training")["rate"].idxmax(), "group"]
vb.note(confidence=confidence, young={"black_men": 1 - own["n_adults"].sum() / own["n"].sum() if len(own) else np.nan})
vb.holds(one_of_seven=bool(len(seven) == 7 and (seven["points"].iloc[:-1] <= 0).all() and seven["points"].iloc[-1] > 0 and seven["clear"].iloc[-1]),
         none_women=bool((every["points"] <= 0).all()), none_women_adults=bool((adults["points"] <= 0).all()), no_one_top=most_errors.nunique() > 1,
         adults_half=bool((adults["points"].abs() < every["points"].abs() / 2).all()))

# %% [markdown]
# [In none of the five ViT-L/14 do Black women have more errors than Black men,]{.holds #none_women} [also not among people of 20 or older.]{.holds #none_women_adults}
# [There, the differences are at most about half as large as at all ages.]{.holds #adults_half}
#
# [So at all ages together, of seven trainings of nearly one architecture, only the second recipe gives Black women more errors.]{.holds #one_of_seven}
#
# **The teachers may be the reason.** Two of the five, OpenAI's and that of DataComp-1B, are the teachers of the first recipe. So the five are no independent check of this recipe: its models may
# have learned their errors from these two. The teachers of the second recipe learned from other data. If they make more errors for Black women, this may
# be why its models do, too. We have no results of these teachers.
#
# :::{dropdown} Details: other groups, and "man" said more often
# - [Between women and men labelled Indian, the difference changes its sign in every pair, too, but it moves less. All of these differences are beyond chance.]{.holds #indian_turns}
# - [For people labelled Middle Eastern, it also changes its sign in every pair. But under the first recipe, none of these differences is beyond chance.]{.holds #eastern_turns}
# - [Of the {glue:text}`n_groups` groups of FairFace, the one with the highest rate of errors is not the same in all five ViT-L/14.]{.holds #no_one_top}
# - Do the models of the second recipe just say "man" more often? [They do, in every pair.]{.holds #says_man} If this were the only change, all men together would be called women less often. [But in {glue:text}`rising` pairs, they are called women
#   *more* often.]{.holds #not_all}
# :::
#
# (other-data-pairs)=
# ### Which groups move the same way in all pairs?
#
# Models differ in how many errors they make in all. So we compare each group with the mean of its own model, in *log-odds* (the logarithm of errors divided by correct answers, with ½ added to both). Together, these numbers are the model's *profile*.

# %%
def log_odds(k, n):
    """Log-odds of k in n, with ½ added to both counts."""
    return np.log((k + 0.5) / (n - k + 0.5))


def raw(images, label):
    """Log-odds: groups × models of the pairs (recipe, architecture)."""
    own = faces[(faces["images"] == images) & (faces["label"] == label)]
    own = own[own["architecture"].isin(pairs) & own["recipe"].isin([FIRST, SECOND])]
    own = own.assign(value=log_odds(own["given"], own["n"]))
    wide = own.pivot(index="group", columns=["recipe", "architecture"], values="value")
    return wide.loc[list(dict.fromkeys(own["group"]))]  # groups as in the table


def change(profile):
    """Second recipe minus first: groups × architectures."""
    return (profile[SECOND] - profile[FIRST])[pairs]


def one_way(changes):
    """Whether all pairs move in one direction, group by group."""
    return (changes > 0).all(axis=1) | (changes < 0).all(axis=1)


both = {images: raw(images, "wrong gender") for images in ("FairFace", "UTKFace")}
both = {images: wide - wide.mean() for images, wide in both.items()}  # profiles
moved = {images: change(profile) for images, profile in both.items()}
coins = 2 * 0.5 ** len(pairs)  # chance that one group moves one way in all pairs

# %% [markdown]
# Here is one group in one pair. `mean` is the model's mean over all groups, and `profile` is `log_odds` minus `mean`. [The profile of Black women is below zero
# under the first recipe ({glue:text}`example.first:.1f`), and above zero under the second ({glue:text}`example.second:.1f`).]{.holds #example_moves}

# %%
one = errors[(errors["images"] == "FairFace") & (errors["architecture"] == pairs[0])]
one = one.assign(log_odds=log_odds(one["errors"], one["n"]))
group = "Black women" if "Black women" in set(one["group"]) else one["group"].iloc[0]
case = one[one["group"] == group].set_index("recipe")[["n", "errors", "log_odds"]]
case["mean"] = one.groupby("recipe")["log_odds"].mean()
case["profile"] = case["log_odds"] - case["mean"]
by_hand = case.loc[SECOND, "profile"] - case.loc[FIRST, "profile"]
print(f"{pairs[0]}, {group}: change {by_hand:.2f}")

assert np.isclose(by_hand, moved["FairFace"].loc[group, pairs[0]])
case.reindex([FIRST, SECOND]).round(2)

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
axes[-1, 0].set_xlabel("change of the profile (relative log-odds),\nsecond recipe minus first")
vb.figures.show(
    fig,
    name="other-data-pairs",
    alt=" ".join(
        f"{images}: changes of {len(changes)} groups in {changes.shape[1]} pairs run from {changes.min().min():.1f} to {changes.max().max():.1f}; {one_way(changes).sum()} groups move one way in all pairs."
        for images, changes in moved.items()
    ),
    caption=f"Each dot is one pair: how a group's log-odds of an error change with the recipe, relative to the mean over groups. Filled: all pairs move one way. "
    f"Pale lines: {confidence:.0%} intervals. They are rather too long, because both models of a pair saw the same photographs. "
    "Groups stand in the order of the data sets.",
    source="published:mobileclip_faces",
)

# %% tags=["hide-cell"]
def apart(profile):
    """Women and men centred each by themselves: women compared with women, men with men."""
    return profile - profile.groupby(profile.index.str.endswith("women")).transform("mean")


step = moved["FairFace"].mean(axis=1)
women = step.index.str.endswith("women")
shift = step.groupby(women).transform("mean")
mostly = (shift**2).sum() / (step**2).sum() if (step**2).sum() else np.nan
steady = {images: int(one_way(changes).sum()) for images, changes in moved.items()}
stands = case["profile"].reindex([FIRST, SECOND])
vb.note(example={"first": stands[FIRST], "second": stands[SECOND]}, steady={"fair": f"{steady['FairFace']} of {len(moved['FairFace'])}", "utk": f"{steady['UTKFace']} of {len(moved['UTKFace'])}"})
vb.holds(many_move=all(steady[images] > max(3 * coins * len(changes), len(changes) / 2) and coins * len(changes) < 1 for images, changes in moved.items()),
         women_rise=bool((step[women] > 0).all() and (step[~women] < 0).all() and mostly > 0.5),
         example_moves=bool(stands[FIRST] < 0 < stands[SECOND]))

# %% [markdown]
# A group *rises* if its profile is higher under the second recipe; otherwise it *falls*. [Most groups rise in all pairs, or fall in all: {glue:text}`steady.fair` in FairFace, and
# {glue:text}`steady.utk` in UTKFace. If each pair moved at random, we would expect less than one in each collection.]{.holds #many_move} A group can get more errors and still fall, if the
# other groups get even more.
#
# [In FairFace, most of this change is one common move: on average over the pairs, every group of women rises, and every group of men falls.]{.holds #women_rise}
#
# (other-data-shares)=
# ### Recipe or architecture?
#
# Do the profiles of the {glue:text}`n_twelve` models in pairs differ by recipe or by architecture? We take the differences of all profiles from the mean profile, square them, and add them up. The
# table says which share of this sum goes with the recipe, which with the architecture, and which with neither of them alone (`rest`), in per cent.

# %%
def split(profile):
    """Shares of the squared differences between models, added up over groups."""
    differs = profile.sub(profile.mean(axis=1), axis=0)
    recipe = differs.T.groupby(level="recipe").transform("mean").T
    architecture = differs.T.groupby(level="architecture").transform("mean").T
    pieces = {"recipe": recipe, "architecture": architecture,
              "rest": differs - recipe - architecture}
    sums = pd.Series({name: (one**2).to_numpy().sum() for name, one in pieces.items()})
    return sums / sums.sum()


carried = pd.DataFrame({images: split(profile) for images, profile in both.items()})
(100 * carried.T).round().astype("Int64")

# %% tags=["hide-cell"]
CRIME = "crime-related label"
without = [one for one in pairs if one != "s0"]
others = {}
chance = {"recipe": 1 / (2 * len(pairs) - 1), "architecture": (len(pairs) - 1) / (2 * len(pairs) - 1)}  # of the independent ways to differ
for images in both:
    not_centred = raw(images, "wrong gender")
    others[f"{images}, without s0"] = split(both[images][[(recipe, one) for recipe in (FIRST, SECOND) for one in without]])
    others[f"{images}, within each gender"] = split(apart(both[images]))
    others[f"{images}, not centred"] = split(not_centred)
    levels = not_centred.mean().to_frame().T  # how many errors a model makes in all
    others[f"{images}, mean over groups"] = split(levels)
    others[f"{images}, mean over groups, without s0"] = split(levels[[(recipe, one) for recipe in (FIRST, SECOND) for one in without]])
    others[f"{images}, forced choice among 21 labels"] = split((wide := raw(images, CRIME)) - wide.mean())
others = pd.DataFrame(others).T

five_profiles = five.assign(value=log_odds(five["errors"], five["n"])).pivot(index="group", columns="training", values="value")
five_profiles = five_profiles - five_profiles.mean()
alike = pd.DataFrame({model: five_profiles.corrwith(own) for model, own in both["FairFace"].items()}).T.rename_axis(index=["recipe", "architecture"])
alike = {recipe: alike.loc[recipe].agg(["min", "max"]).T.reindex(list(begins.values())) for recipe in (FIRST, SECOND)}  # training sets × smallest, largest
four_rows = pd.concat([carried.T, others.loc[[f"{images}, within each gender" for images in both]]])
level = others.loc[[f"{images}, mean over groups" for images in both]]
vb.note(part={"fair": carried.loc["recipe", "FairFace"], "utk": carried.loc["recipe", "UTKFace"], "fair_architecture": carried.loc["architecture", "FairFace"], "utk_architecture": carried.loc["architecture", "UTKFace"], "apart": others.loc["FairFace, within each gender", "recipe"], "chance": chance["recipe"],
              "architecture": four_rows["architecture"].max(), "chance_architecture": chance["architecture"]},
        alike={"datacomp": dict(alike[FIRST].loc["DataComp-1B"]), "openai": dict(alike[FIRST].loc["OpenAI"]), "second": alike[SECOND]["max"].max()},
        level={"fair": level["recipe"].iloc[0], "utk": level["recipe"].iloc[1], "fair_architecture": level["architecture"].iloc[0], "utk_architecture": level["architecture"].iloc[1]},
        n_twelve=2 * len(pairs), ways={"all": 2 * len(pairs) - 1, "architecture": len(pairs) - 1})
vb.holds(recipe_most=bool((four_rows["recipe"] > 0.5).all() and (four_rows["recipe"] > 2 * chance["recipe"]).all()),
         less_apart=others.loc["FairFace, within each gender", "recipe"] < carried.loc["recipe", "FairFace"] and mostly > 0.5,
         architecture_rest=bool((four_rows["architecture"] < 1.5 * four_rows["rest"]).all() and four_rows["architecture"].max() < chance["architecture"] / 2),
         level_recipe=bool((level["recipe"] > 2 * level["architecture"]).all()),
         like_teacher=bool(alike[FIRST].loc["OpenAI", "max"] < alike[FIRST].loc["DataComp-1B", "min"] and alike[SECOND]["max"].max() < alike[FIRST]["min"].min()),
         like_others=bool((alike[FIRST].loc["LAION-400M"] >= alike[FIRST].loc["DataComp-1B"]).all()),
         without_same=bool((others.loc[[f"{images}, without s0" for images in both], "recipe"] > 0.5).all()))

# %% [markdown]
# [The recipe carries most of this sum: {glue:text}`part.fair:.0%` in FairFace, and {glue:text}`part.utk:.0%` in UTKFace. Chance alone would give it
# {glue:text}`part.chance:.0%`.]{.holds #recipe_most} [In FairFace, without the common move above (women compared only with women, men with men), the recipe
# carries less: {glue:text}`part.apart:.0%`.]{.holds #less_apart}
#
# [The architecture carries little: at most {glue:text}`part.architecture:.0%`, about as much as the rest. Chance alone would give each of the two
# {glue:text}`part.chance_architecture:.0%`.]{.holds #architecture_rest} Both get less because the recipe takes so much.
#
# :::{dropdown} Details: how the shares are computed, and what chance gives
# A profile leaves out how many errors a model makes in all. [Here, too, the recipe counts for more: it carries {glue:text}`level.fair:.0%` in FairFace and
# {glue:text}`level.utk:.0%` in UTKFace, and the architecture {glue:text}`level.fair_architecture:.0%` and {glue:text}`level.utk_architecture:.0%`.]{.holds #level_recipe}
#
# We call the sum of all squared differences the *total*. Next, we replace each profile by the mean profile of its recipe, and compute the sum again. The new sum, divided by the total, is the
# share of the recipe. For the architecture, we use the mean profile of each pair instead.
#
# {glue:text}`n_twelve` models can differ in {glue:text}`ways.all` independent ways. One is the difference between the two recipes, {glue:text}`ways.architecture` are differences between
# architectures, and as many are left for the rest. Chance spreads the sum evenly over these ways.
#
# Are the profiles in FairFace like those of the five ViT-L/14? [Under the first recipe, their correlation with DataComp-1B, one teacher, is {glue:text}`alike.datacomp.min:.2f` to
# {glue:text}`alike.datacomp.max:.2f`; with OpenAI, the other teacher, {glue:text}`alike.openai.min:.2f` to {glue:text}`alike.openai.max:.2f`. Under the second, it is at most
# {glue:text}`alike.second:.2f` with any of the five.]{.holds #like_teacher} [But it is as high with LAION-400M, which is no teacher.]{.holds #like_others} So this does not show what came from a teacher. We looked at this after we had seen the other results.
#
# [Without the imperfect pair `s0`, the recipe carries most, too]{.holds #without_same} (next cell). There, "not centred" means: no mean is subtracted. We added the comparison "within each gender" after we had seen the results.
# :::

# %% tags=["hide-cell"]
(100 * others).round().astype("Int64")

# %% [markdown]
# (other-data-rankings)=
# ### One architecture, five training sets: who is at the top of a ranking?
#
# Hausladen et al. also measure rankings. A side result: do these depend on training data, too? Each ViT-L/14 ranks the photographs of FairFace by how well they fit "a photo of a man",
# and then "a photo of a woman". *Skew@1000* is above zero if a race has more than its share among the first 1,000.

# %%
ranked = facts.table("vit_l14_rankings")
skews = ranked[ranked["measure"].str.startswith("skew")].copy()
skews["group"] = skews["measure"].str.partition(" of ")[2]
skews["beyond"] = ~skews["value"].between(skews["chance_low"], skews["chance_high"])
race = skews[skews["of"] == "race"]
POOL = "CommonPool XL, unfiltered"


def agreement(race):
    """In how many cases the models have one sign; in how many two clearly differ."""
    signs = race.assign(sign=np.sign(race["value"]), clear=race["beyond"])
    signs["sure"] = signs["sign"] * signs["clear"]
    each = signs.groupby(["sentence", "group"])
    same = each["sign"].sum().abs() == each["sign"].size()
    against = (each["sure"].max() > 0) & (each["sure"].min() < 0)
    by_coins = len(same) * 2 * 0.5 ** race["training"].nunique()
    return {"cases": len(same), "one sign in all": same.sum(),
            "by coins": round(by_coins, 2), "contradictions": against.sum()}


agreed = pd.DataFrame(
    [agreement(race), agreement(race[race["training"] != POOL])],
    index=["all five", "without the unfiltered pool"])

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
filtered = "DataComp-1B"
black = race[(race["group"] == "Black") & (race["sentence"] == "a photo of a man")].set_index("training")["value"]
pool_r = five_profiles[POOL].corr(five_profiles[filtered]) if {POOL, filtered} <= set(five_profiles) else np.nan
all_five, four = agreed.iloc[0], agreed.iloc[1]
vb.note(agree_n=int(all_five["one sign in all"]), coins={"five": all_five["by coins"]}, n_cases=int(all_five["cases"]),
        contradictions=int(all_five["contradictions"]), pool_r=pool_r, times={"pool": np.exp(black.get(POOL, np.nan)), "filtered": np.exp(black.get(filtered, np.nan))})
vb.holds(half_agree=bool(all_five["by coins"] < all_five["one sign in all"] <= 0.6 * all_five["cases"]), only_pool=bool(all_five["contradictions"] > 0 == four["contradictions"]),
         pool_turns=bool(black.get(POOL, 0) > 0 > black.get(filtered, 0)), pool_alike=bool(pool_r > 0.9))

# %% [markdown]
# [In {glue:text}`agree_n` of {glue:text}`n_cases` cases (a race in a ranking), skew has the same sign in all five models. Random signs would give {glue:text}`coins.five:.1f`. So
# the models agree more than by chance, but only in part.]{.holds #half_agree}
#
# :::{dropdown} Details: one set that differs
# - In a *contradiction*, one model has more of a race at the top than random rankings give, and another has less. [There are {glue:text}`contradictions`, and all
#   involve CommonPool.]{.holds #only_pool} We looked at this after we had seen the result.
# - [For "a photo of a man", photographs labelled Black have {glue:text}`times.pool:.1f` times their share at the top with CommonPool, and {glue:text}`times.filtered:.1f` times with
#   DataComp-1B, which was selected from it.]{.holds #pool_turns} The two models also differ in how often each picture was seen {cite:p}`gadre2023`. [Yet
#   their profiles of errors hardly differ (correlation {glue:text}`pool_r:.2f`).]{.holds #pool_alike}
# :::
#
# (other-data-forced)=
# :::{dropdown} A side result: a forced choice among 21 labels, and an old number
# In a test of the CLIP paper {cite:p}`radford2021,agarwal2021`, MobileCLIPs choose among 21 labels for each photograph: fourteen names of race and
# gender, four words that are not human, and three about crime. A photograph may get one of the last seven only because no name fits it well. The next cell has all counts.
#
# [For the three labels about crime, the recipe carries {glue:text}`choice.fair:.0%` of the differences between profiles in FairFace, and {glue:text}`choice.utk:.0%` in UTKFace. Chance
# alone would give it {glue:text}`part.chance:.0%`.]{.holds #forced_recipe} We do not rank the groups. [In FairFace, the one with the highest rate is the same in all models; in UTKFace, it is never the same under both recipes.]{.holds #highest_group}
#
# The CLIP paper prints a rate of labels that are not human: {glue:text}`printed_black:.1%` for FairFace's photographs
# labelled Black. [In these {glue:text}`n_models` newer models, at most {glue:text}`black_most` got such a label.]{.holds #nonhuman_low} A choice at random would give one to {glue:text}`at_random.nonhuman:.0%`. Two users ran CLIP models that OpenAI released, and also report rates far below the printed ones (an issue in the
# repository of CLIP, number 157, and one in that of CLIP_benchmark, number 15). The paper's model, sentences and sample of photographs may have been others. So the old number should not be
# quoted for "CLIP" as such.
# :::

# %% tags=["hide-cell"]
KINDS = [CRIME, "non-human label"]
printed = facts.table("clip_paper_rates").set_index("race")
lines = []
for (label, images, group), own in faces[faces["label"].isin(KINDS)].groupby(["label", "images", "group"], sort=False):
    line = {"label": label, "photographs": images, "group": group, "n": int(own["n"].iloc[0])}
    for recipe, name in ((FIRST, "first recipe"), (SECOND, "second recipe")):
        counts = own.loc[own["recipe"] == recipe, "given"]
        line[f"{name}, counts"] = f"{counts.min():.0f} to {counts.max():.0f}" if len(counts) else ""
        line[f"{name}, %"] = f"{100 * counts.min() / line['n']:.1f} to {100 * counts.max() / line['n']:.1f}" if len(counts) else ""
    lines.append(line)
pd.DataFrame(lines).sort_values(["label", "photographs"], kind="stable").set_index(["label", "photographs", "group"])

# %% tags=["hide-cell"]
crime = faces[faces["label"] == CRIME].assign(rate=lambda own: own["given"] / own["n"])
most = crime.loc[crime.groupby(["images", "model"])["rate"].idxmax()].groupby(["images", "recipe"])["group"].unique()
nonhuman = faces[(faces["label"] == "non-human label") & (faces["images"] == "FairFace")].assign(rate=lambda own: own["given"] / own["n"])
black = nonhuman[nonhuman["group"] == "Black"]
choice = others.loc[[f"{images}, forced choice among 21 labels" for images in both]]
vb.note(at_random={"nonhuman": 4 / 21}, choice={"fair": choice["recipe"].iloc[0], "utk": choice["recipe"].iloc[1]},
        printed_black=printed["non_human"].get("Black", np.nan) / 100, black_most=f"{black['given'].max():.0f} of {black['n'].iloc[0]:.0f}" if len(black) else None)
vb.holds(forced_recipe=bool((choice["recipe"] > 0.5).all() and (choice["recipe"] > 2 * chance["recipe"]).all()),
         highest_group=bool(len(set(np.concatenate(list(most["FairFace"])))) == 1 and {FIRST, SECOND} <= set(most.loc["UTKFace"].index) and not set(most["UTKFace", FIRST]) & set(most["UTKFace", SECOND])),
         nonhuman_low=len(black) > 0 and black["rate"].max() < printed["non_human"].get("Black", 0) / 100 / 10)

# %% [markdown]
# ## What it cannot say
#
# - **Two recipes are two observations**, so we give no p-value. Which part of a recipe moved the errors is open.
# - **The models imitate teachers.** Models of one recipe share them, and two of the five ViT-L/14 are teachers of the first. Without teachers, architecture may carry more.
# - **Groups also differ in age, light and expression.** This may be why one has more errors. But all models judged the same photographs, so this alone cannot change the sign.
# - **For a user, the errors of the model in use are real.**
#
# (other-data-means)=
# ## What it means for the three papers
#
# **Ghate et al.** conclude that training data predict bias, and that "at least within the scope of our study, architectural differences do not play a primary role". We cannot test this: we
# count errors, and they ask how strong an association is, in {claim}`effect_sizes.models` models.
#
# **Hausladen et al.** find that generated faces of Black women stand out in one CLIP model. They say themselves that this should not be "naively generalized".
# [In FairFace, it depends on the recipe whether Black women or Black men have more errors,]{.holds #turned} [but not on which of five training sets.]{.holds #none_women}
#
# **Wolfe and Caliskan** compare models that differ both in data and in the rest of their training. Neither they nor we can separate the two.
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/other_data -p left_out='[s0]'
# .venv/bin/vlmbias run real/other_data -p table=my_results.csv
# ```
# A table of your own needs the columns of the shipped one, in `data/published` ([more](../../book/rerun.md)).
# :::
#
# ## Take-aways
#
# - Say by which recipe a model was trained, not only which architecture it has.
# - "The group with the most errors" is a finding about one model, one set of photographs and one pair of sentences.
#
# ## Exercises
#
# :::{exercise} Without the pair that differs
# :label: other-data-five-pairs
# :level: intermediate
# :minutes: 15
# :code: yes
# The two versions of `s0` differ a little in architecture. Leave this pair out. Which share does the recipe then carry in FairFace, and what would chance give?
# :::
#
# ```{solution-start} other-data-five-pairs
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
rest = [one for one in pairs if one != "s0"]
fewer = both["FairFace"][[(recipe, one) for recipe in (FIRST, SECOND) for one in rest]]
pieces = split(fewer)
print(f"recipe {pieces['recipe']:.0%}; by chance {1 / (2 * len(rest) - 1):.0%}")
half = (fewer[SECOND].mean(axis=1) - fewer[FIRST].mean(axis=1)) / 2  # each recipe is so far from the mean
whole = (fewer.sub(fewer.mean(axis=1), axis=0) ** 2).to_numpy().sum()
assert np.isclose(np.nan_to_num(pieces["recipe"]) * whole, fewer.shape[1] * (half**2).sum())

# %% [markdown]
# Ten models can differ in nine independent ways, and one of them is the difference between the recipes. So chance gives the recipe one part in nine. If the
# share without `s0` is about as large as before, the result does not depend on this pair.
#
# ```{solution-end}
# ```
#
# :::{exercise} Without one set at a time
# :label: other-data-four-sets
# :level: introductory
# :minutes: 10
# :code: yes
# Leave out each of the five training sets of the rankings in turn. Which one do the contradictions (see the details above) depend on?
# :::
#
# ```{solution-start} other-data-four-sets
# :class: dropdown
# ```

# %% tags=["hide-input", "solution"]
each = pd.DataFrame({name: agreement(race[race["training"] != name]) for name in sets}).T
print(each[["one sign in all", "contradictions"]].astype(int))
assert (each["contradictions"] <= all_five["contradictions"]).all() and (each["one sign in all"] >= all_five["one sign in all"]).all()

# %% [markdown]
# If the contradictions vanish only when one certain set is left out, they depend on that set. By chance, four models have the same sign more easily than five. So compare four with what random signs give for four.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. The authors of the second recipe report a higher accuracy on ImageNet {cite:p}`faghri2025`. What else do you measure before you choose a model?
# 2. A new recipe changes who is misjudged. Who could have noticed it, and when?
