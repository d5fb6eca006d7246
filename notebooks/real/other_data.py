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
# *Real models. Errors of nineteen models, computed from what their authors and others published.*
#
# :::{admonition} This chapter at a glance
# :class: note
#
# **Question.** Two models are built alike, but trained in different ways. Do they misjudge photographs of the same people?
#
# **Answer in short.** Not always. MobileCLIPs are models from Apple that judge how well a picture fits a sentence. {glue:text}`n_pairs_words` *architectures* (ways to build such a model)
# were trained by two *recipes*, which differ in pictures, captions, and the models that a new model learns to imitate.
#
# An error is: a model calls a photographed man a woman, or a woman a man. FairFace and UTKFace are two public collections of photographs of faces. We compare people labelled Black women and
# Black men: the same label for race, so the comparison is one of gender.
#
# - [In FairFace, the first recipe makes more errors for Black men than for Black women. The second does the opposite, in all {glue:text}`n_pairs` architectures.]{.holds #turned}
# - [In UTKFace, the first recipe makes about as many errors for one of these groups as for the other. The second makes more for Black women.]{.holds #utk_opens}
# - Another architecture, ViT-L/14, was trained on five sets of data. [In FairFace, all five models make more errors for Black men.]{.holds #none_women}
#   {glue:text}`clear_sets.all` of the five differences are larger than chance would explain; among adults, {glue:text}`clear_sets.adults` are.
# - A model's *profile* says for which groups it makes more errors than for its other groups. [Most of the differences between profiles go with the recipe, not with the architecture:
#   {glue:text}`part.fair:.0%` in FairFace and {glue:text}`part.utk:.0%` in UTKFace.]{.holds #recipe_most}
#
# So another recipe can change who is misjudged. But a recipe is more than its data, and both recipes come from one laboratory.
#
# **In 20 minutes:** {ref}`What the table holds <other-data-table>`, {ref}`Who is called the wrong gender? <other-data-gender>`, {ref}`Recipe or architecture? <other-data-shares>`,
# {ref}`What it means <other-data-means>`. **In 75 minutes:** everything, with both exercises.
#
# **You need:** rates and their intervals. For one section, skew, as in the primer "[Rankings, skew and markedness](../../book/primers/ranking.md)".
#
# **Content note.** The page counts how often photographs of people get a wrong or degrading label. No photograph is shown. Every number is about models, none about people. Race and gender
# are labels of the data sets, mostly given by strangers.
# :::
#
# **We ran no model.** Others published these numbers, or results from which we computed them {cite:p}`vasu2024,faghri2025,groovylizard2024,radford2021`. We thank them for it.

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
# A MobileCLIP gives each pair of a picture and a sentence a score for how well they fit, a *cosine*. Models that do so are called CLIP models. Their architectures have short names, such as `s0`.
#
# A *recipe* is the way in which a model was trained. The first comes from {cite:t}`vasu2024`, the second from {cite:t}`faghri2025`; the table calls them `mobileclip` and `mobileclip2`. They
# differ in pictures, captions, and *teachers* (models whose results a new model learns to give).
#
# {glue:text}`n_pairs_words` architectures were trained by both recipes, on equally many examples. The two models of one architecture are a *pair*.

# %%
faces = facts.table("mobileclip_faces", table)
faces["given"] = faces["given"].clip(upper=faces["n"])
parts = faces["model"].str.partition("_")  # "mobileclip2_s0": recipe and architecture
faces["recipe"], faces["architecture"] = parts[0], parts[2]
faces["group"] = (faces["race"] + " " + faces["gender"]).str.removesuffix(" all")

FIRST, SECOND = "mobileclip", "mobileclip2"
made = faces.groupby("recipe")["architecture"].unique()
in_both = set(made.get(FIRST, [])) & set(made.get(SECOND, []))
pairs = [one for one in made.get(FIRST, []) if one in in_both and one not in left_out]
assert len(pairs) > 1, "the table needs two architectures trained by both recipes"

called = {FIRST: "first recipe", SECOND: "second recipe"}
models = pd.crosstab(faces["architecture"], faces["recipe"].map(called)) > 0
models["a pair"] = models.index.isin(pairs)
models.replace({True: "yes", False: "–"})

# %% [markdown]
# :::{dropdown} Details: recipes and models
# - The two recipes also differ in details of the loss, which is the number that training makes small.
# - The models `b_lt` (which is `b`, trained longer) and `s1` have no partner.
# - The pair `s0` is not perfect: its two versions read sentences with networks of different depth.
# - Most models of the first recipe come from {cite:t}`vasu2024`. {cite:t}`faghri2025` trained `s3`, `s4` and `l14` by both recipes.
# :::
#
# All MobileCLIPs saw the same photographs, of FairFace {cite:p}`karkkainen2021` and UTKFace {cite:p}`zhang2017`. Each photograph has a label for race and one for gender. The test asks which
# sentence fits it better, "a photo of a man" or "a photo of a woman" {cite:p}`gadre2023`. It is an *error* if this is not the gender in the label.
#
# Below, `n` counts the photographs of a group, `errors` counts those with an error, and `rate` is their share.

# %%
errors = faces[faces["label"] == "wrong gender"].rename(columns={"given": "errors"})
errors["rate"] = errors["errors"] / errors["n"]
errors[["model", "images", "group", "n", "errors", "rate"]].head(3).round(3)

# %% [markdown]
# A second table has the same test, with FairFace, for five models of one larger architecture, ViT-L/14. Each was trained on another set of pictures and captions from the web
# {cite:p}`ilharco2021`, such as LAION, CommonPool and DataComp. We counted the errors from published cosines {cite:p}`groovylizard2024`. The columns with `adults` count only
# people labelled 20 or older.

# %%
counted = {"wrong": "errors", "wrong_adults": "errors_adults"}
five = facts.table("vit_l14_gender").rename(columns=counted)
five["group"] = five["race"] + " " + five["gender"]
five["errors_adults"] = five["errors_adults"].clip(upper=five["n_adults"])
five[["training", "group", "n", "errors", "n_adults", "errors_adults"]].head(3)

# %% tags=["hide-cell"]
Code(facts.made_by("vit_l14_gender"), language="python")

# %% [markdown]
# (other-data-gender)=
# ## What came out
#
# ### Who is called the wrong gender?
#
# We compare photographs of people labelled Black women and Black men; below, the two names are short for that. We chose these groups after we had seen the results: [of all
# {glue:text}`n_groups` groups of FairFace, Black men have the most errors in every model of the first recipe, and Black women in every model of the second.]{.holds #all_top}
#
# The next cell subtracts the rate of Black men from that of Black women, in percentage points. A negative number means more errors for Black men.

# %%
two = ["Black women", "Black men"]


def differences(own, by, wrong="errors", n="n"):
    """Rate of errors of the first group minus the second's; is it beyond sampling?"""
    rate = own[wrong] / own[n]
    own = own.assign(rate=100 * rate, variance=100**2 * rate * (1 - rate) / own[n])
    wide = own.pivot(index=by, columns="group", values=["rate", "variance"])
    first, second = (wide["rate"].reindex(columns=two)[one] for one in two)
    error = np.sqrt(wide["variance"].reindex(columns=two).sum(axis=1))
    points = first - second
    clear = points.abs() > stats.norm.ppf(0.5 + confidence / 2) * error
    return pd.DataFrame({"points": points, "clear": clear})


found = {images: differences(own, "model") for images, own in errors.groupby("images")}
points = pd.DataFrame({
    (images, called[recipe]): [found[images]["points"].get(f"{recipe}_{one}")
                               for one in pairs]
    for images in found for recipe in (FIRST, SECOND)
}, index=pairs, dtype=float)
points.round(1)

# %% tags=["hide-input"]
INK = (vb.figures.PEOPLE[0], vb.figures.PEOPLE[2])
rows = errors[errors["group"].isin(two)].assign(block=errors["recipe"].map(called), row=errors["architecture"].str.replace("b_lt", "b, longer"))
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
            line[f"{called[recipe]}, errors"] = f"{given.min():.0f} to {given.max():.0f}"
            line[f"{called[recipe]}, %"] = f"{100 * given.min() / line['n']:.1f} to {100 * given.max() / line['n']:.1f}"
        lines[images, group] = line
    return pd.DataFrame(lines).T


counts_by_group()

# %% tags=["hide-cell"]
def highest(images):
    """The group with the highest rate, by recipe and architecture."""
    own = errors[errors["images"] == images]
    top = own.loc[own.groupby("model")["rate"].idxmax()]
    return top.set_index(["recipe", "architecture"])["group"]


first_ff, second_ff, first_utk, second_utk = (points[images, called[recipe]] for images in ("FairFace", "UTKFace") for recipe in (FIRST, SECOND))
top, top_utk = highest("FairFace"), highest("UTKFace")
same_top = [one for one in pairs if top_utk[FIRST, one] == top_utk[SECOND, one]]
named = pd.Series([top_utk[FIRST, one] for one in same_top]).value_counts()
mean = errors[errors["architecture"].isin(pairs)].groupby(["images", "recipe", "group"])["rate"].mean()
rates = {short: {f"{who}_{when}": mean.get((images, recipe, group), np.nan) for who, group in (("women", two[0]), ("men", two[1])) for when, recipe in (("first", FIRST), ("second", SECOND))}
         for short, images in (("ff", "FairFace"), ("utk", "UTKFace"))}
own = errors[(errors["images"] == "FairFace") & errors["architecture"].isin(pairs)]
own = own.assign(is_man=own["gender"] == "men", says_man=np.where(own["gender"] == "men", own["n"] - own["errors"], own["errors"]))
totals = own.groupby(["recipe", "architecture"])[["n", "says_man"]].sum()
says = totals["says_man"] / totals["n"]
men = own[own["is_man"]].groupby(["recipe", "architecture"])[["errors", "n"]].sum()
men_wrong = men["errors"] / men["n"]
rising = sum(men_wrong[SECOND, one] > men_wrong[FIRST, one] for one in pairs)
vb.note(n_groups=errors.loc[errors["images"] == "FairFace", "group"].nunique(), n_models=faces["model"].nunique(), n_pairs=len(pairs),
        n_pairs_words=dict(enumerate(["Zero", "One", "Two", "Three", "Four", "Five", "Six"])).get(len(pairs), str(len(pairs))),
        utk_same=f"{len(same_top)} of {len(pairs)}", rates=rates, utk={"most_first": first_utk.abs().max(), "low": second_utk.min(), "high": second_utk.max()},
        says={"first": says[FIRST].mean(), "second": says[SECOND].mean()}, rising=f"{rising} of {len(pairs)}")
vb.holds(turned=bool((first_ff < 0).all() and (second_ff > 0).all()),
         both_sides=rates["ff"]["women_second"] > rates["ff"]["women_first"] and rates["ff"]["men_second"] < rates["ff"]["men_first"],
         all_top=bool(FIRST in top and SECOND in top and (top[FIRST] == "Black men").all() and (top[SECOND] == "Black women").all()),
         utk_opens=bool(first_utk.abs().max() < 2 and second_utk.min() > 5),
         utk_named=bool(len(named) and named.index[0] == "Asian men" and named.iloc[0] == len(same_top) > len(pairs) / 2),
         says_man=all(says[SECOND, one] > says[FIRST, one] for one in pairs), not_all=rising > len(pairs) / 2)

# %% [markdown]
# **In FairFace, the difference turns round.** [In every pair, Black men have more errors under the first recipe, and Black women under the second.]{.holds #turned}
# [Both groups change. The mean rate of Black women rises from {glue:text}`rates.ff.women_first:.0%` to {glue:text}`rates.ff.women_second:.0%`. That of Black men falls from
# {glue:text}`rates.ff.men_first:.0%` to {glue:text}`rates.ff.men_second:.0%`.]{.holds #both_sides}
#
# **In UTKFace, a difference appears.** [Under the first recipe, the two groups differ by at most {glue:text}`utk.most_first:.1f` points. Under the second, Black women have
# {glue:text}`utk.low:.0f` to {glue:text}`utk.high:.0f` points more errors.]{.holds #utk_opens} [But in UTKFace, people labelled Asian men have the most errors, under both recipes in
# {glue:text}`utk_same` pairs.]{.holds #utk_named}
#
# **Five training sets, one architecture.** Here is the same difference for the five ViT-L/14. It is `clear` if it is larger than the choice of photographs would explain (its
# {glue:text}`confidence:.0%` interval is without zero).

# %%
every = differences(five, "training")
adults = differences(five, "training", "errors_adults", "n_adults")
both_ages = pd.concat({"all ages": every, "20 or older": adults}, axis=1)
both_ages.round(1).astype(str).replace({"True": "yes", "False": "no"})

# %% tags=["hide-cell"]
sums = five.groupby("training")[["n", "n_adults", "errors", "errors_adults"]].sum()
young = 1 - sums["n_adults"] / sums["n"]
young_errors = 1 - sums["errors_adults"] / sums["errors"].replace(0, np.nan)
vb.note(confidence=confidence, clear_sets={"all": int((every["clear"] & (every["points"] < 0)).sum()), "adults": int((adults["clear"] & (adults["points"] < 0)).sum())},
        young={"share": young.mean(), "low": young_errors.min(), "high": young_errors.max()})
vb.holds(none_women=bool((every["points"] < 0).all()), none_women_adults=bool((adults["points"] < 0).all()), young_more=bool((young_errors > young).all()))

# %% [markdown]
# [All five make more errors for Black men than for Black women]{.holds #none_women}; {glue:text}`clear_sets.all` of the differences are clear. [Among people of 20 or older, all five keep their
# sign]{.holds #none_women_adults}, and {glue:text}`clear_sets.adults` are clear.
#
# So another recipe turned the difference, and other training sets did not. We do not know why.
#
# :::{dropdown} Details: is "man" just said more often, and what has age to do with it?
# - Do the models of the second recipe just say "man" more often? [They do, in every pair: for {glue:text}`says.second:.0%` of FairFace's photographs on average, instead of
#   {glue:text}`says.first:.0%`.]{.holds #says_man} If this were the only change, all men together would be called women less often. [But in {glue:text}`rising` pairs, they are called women
#   *more* often.]{.holds #not_all}
# - FairFace labels boys as men. [People labelled under 20 are on {glue:text}`young.share:.0%` of all photographs of FairFace. But {glue:text}`young.low:.0%` to {glue:text}`young.high:.0%` of the
#   errors of a ViT-L/14 are theirs.]{.holds #young_more} For the MobileCLIPs, ages were not published.
# :::
#
# (other-data-pairs)=
# ### Which groups move the same way in all pairs?
#
# Now we look at all groups. We turn each rate into *log-odds*: the logarithm of errors divided by correct answers, with ½ added to both. From these we subtract the model's mean over all groups,
# since models differ in how many errors they make in all. The results are the model's *profile*.
#
# A profile is relative. If a model makes more errors for every group, a group with only a few more falls in the profile.

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
pd.DataFrame([{"groups": len(changes),
               "one way in all pairs": one_way(changes).sum(),
               "if each pair tossed a coin": round(coins * len(changes), 1)}
              for changes in moved.values()], index=list(moved))

# %% [markdown]
# Here is one change as a worked case: photographs labelled Black women, in one pair. `mean` is the mean over the model's groups.

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
case.round(2)

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
    f"Pale lines: {confidence:.0%} intervals. They treat the two models as if they had seen different photographs. Both saw the same, so the lines are rather too long. "
    "Groups stand in the order of the data sets.",
    source="published:mobileclip_faces",
)

# %% tags=["hide-cell"]
def apart(profile):
    """Women and men centred each by themselves: women compared with women, men with men."""
    return profile - profile.groupby(profile.index.str.endswith("women")).transform("mean")


def all_move(images, group, sign):
    """Whether this group moves in this direction in all pairs."""
    return group in moved[images].index and bool((sign * moved[images].loc[group] > 0).all())


step = moved["FairFace"].mean(axis=1)
women = step.index.str.endswith("women")
shift = step.groupby(women).transform("mean")
mostly = (shift**2).sum() / (step**2).sum() if (step**2).sum() else np.nan
white = {images: change(apart(profile)).reindex(["White women"]).iloc[0] for images, profile in both.items()}
vb.note(mostly=mostly)
vb.holds(many_move=all(one_way(changes).sum() > 3 * coins * len(changes) for changes in moved.values()),
         black_move=all(all_move(images, "Black women", 1) and all_move(images, "Black men", -1) for images in both),
         photographs_disagree=bool((white["FairFace"] < 0).all() and (white["UTKFace"] > 0).all()),
         mostly_women=bool(mostly > 0.5 and shift[women].mean() > 0))

# %% [markdown]
# [Most groups move one way in all pairs, far more than if each pair tossed a coin]{.holds #many_move} (table above). [In both collections, Black women rise and Black men fall in the profile,
# in all pairs.]{.holds #black_move}
#
# (other-data-shares)=
# ### Recipe or architecture?
#
# The pairs hold {glue:text}`n_twelve` models. Do their profiles differ by recipe or by architecture? We take each profile's difference from the mean of all profiles, square it, and add up.
# This is the *total*. Then we replace each profile by the mean profile of its recipe, and compute the same sum again. Divided by the total, it is the *share of the recipe*.
#
# The share is 100 % if all models of one recipe have the same profile. It is 0 % if both recipes have the same mean. The share of the *architecture* is found in the same way. The *rest* is a
# mix of both, and chance.
#
# What would chance give? Between two recipes there is one difference. Between {glue:text}`n_pairs` architectures there are {glue:text}`ways.architecture` independent ones, and as many are left
# for the rest. So chance gives the recipe one part in {glue:text}`ways.all` (last row).

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


carried = pd.DataFrame({
    "FairFace": split(both["FairFace"]),
    "FairFace, women and men apart": split(apart(both["FairFace"])),
    "UTKFace": split(both["UTKFace"]),
    "UTKFace, women and men apart": split(apart(both["UTKFace"])),
})
free = np.array([1, len(pairs) - 1, len(pairs) - 1])  # independent ways to differ
carried["chance"] = free / free.sum()
(100 * carried.T).round().astype("Int64")

# %% [markdown]
# The numbers are per cent. "Women and men apart" compares women with women only, and men with men.

# %% tags=["hide-cell"]
def sampling(images):
    """The share of the architecture if only the counts vary, as if each model had photographs of its own."""
    own = errors[(errors["images"] == images) & errors["architecture"].isin(pairs)]
    variance = (1 / (own["errors"] + 0.5) + 1 / (own["n"] - own["errors"] + 0.5)).sum()
    profile = both[images]
    whole = (profile.sub(profile.mean(axis=1), axis=0) ** 2).to_numpy().sum()
    return variance * (1 - 1 / len(profile)) * (len(pairs) - 1) / profile.shape[1] / whole if whole else np.nan


CRIME = "crime-related label"
without = [one for one in pairs if one != "s0"]
others = {}
for images in both:
    not_centred = raw(images, "wrong gender")
    others[f"{images}, without s0"] = split(both[images][[(recipe, one) for recipe in (FIRST, SECOND) for one in without]])
    others[f"{images}, not centred"] = split(not_centred)
    others[f"{images}, forced choice among 21 labels"] = split((wide := raw(images, CRIME)) - wide.mean())
others = pd.DataFrame(others).T

recipes = {images: profile.T.groupby(level="recipe").mean().T for images, profile in both.items()}
wide = errors[errors["images"] == "FairFace"].assign(value=lambda own: log_odds(own["errors"], own["n"])).pivot(index="group", columns="model", values="value")
wide = wide - wide.mean()


def alike_models(one, other):
    """Correlation of two models' profiles; none if a model is missing."""
    return wide[one].corr(wide[other]) if {one, other} <= set(wide) else np.nan


longer, other_recipe = alike_models("mobileclip_b", "mobileclip_b_lt"), alike_models("mobileclip_b", "mobileclip2_b")
five_profiles = five.assign(value=log_odds(five["errors"], five["n"])).pivot(index="group", columns="training", values="value")
five_profiles = five_profiles - five_profiles.mean()
with_first = five_profiles.corrwith(recipes["FairFace"][FIRST])
teachers = [name for name in ("OpenAI", "DataComp-1B") if name in with_first]
strangers = [name for name in with_first.index if name not in teachers]
four_rows, not_centred = carried.drop(columns="chance").T, others.loc[[f"{images}, not centred" for images in both]]
vb.note(part={"fair": carried.loc["recipe", "FairFace"], "utk": carried.loc["recipe", "UTKFace"], "apart": carried.loc["recipe", "FairFace, women and men apart"], "chance": carried.loc["recipe", "chance"],
              "architecture": four_rows["architecture"].max(), "chance_architecture": carried.loc["architecture", "chance"]},
        n_twelve=2 * len(pairs), ways={"all": 2 * len(pairs) - 1, "architecture": len(pairs) - 1}, longer=longer, other_recipe=other_recipe, r={"fair": recipes["FairFace"].corr().iloc[0, 1], "utk": recipes["UTKFace"].corr().iloc[0, 1]},
        level={"fair": not_centred["architecture"].iloc[0], "utk": not_centred["architecture"].iloc[1]}, sampled={images: sampling(images) for images in both},
        teach={"openai": with_first.get("OpenAI", np.nan), "datacomp": with_first.get("DataComp-1B", np.nan), "low": with_first[strangers].min(), "high": with_first[strangers].max()})
vb.holds(recipe_most=bool((four_rows["recipe"] > 0.5).all() and (four_rows["recipe"] > 2 * carried.loc["recipe", "chance"]).all()),
         less_apart=carried.loc["recipe", "FairFace, women and men apart"] < carried.loc["recipe", "FairFace"] and mostly > 0.5,
         architecture_rest=bool((four_rows["architecture"] < 1.5 * four_rows["rest"]).all() and four_rows["architecture"].max() < carried.loc["architecture", "chance"] / 2),
         sampling_utk=bool(carried.loc["architecture", "FairFace"] <= sampling("FairFace") and carried.loc["architecture", "UTKFace"] > sampling("UTKFace")),
         yard=bool(longer > 0.9 and other_recipe < 0.6), level_more=bool((not_centred["architecture"] > 2 * not_centred["rest"]).all()),
         without_same=bool((others.loc[[f"{images}, without s0" for images in both], "recipe"] > 0.5).all()),
         not_opposite=bool(0 < recipes["FairFace"].corr().iloc[0, 1] < 0.4 < recipes["UTKFace"].corr().iloc[0, 1] < 0.7),
         teacher_not=bool(with_first[teachers].mean() < with_first[strangers].min()))

# %% [markdown]
# Most of what differs goes with the recipe. [Its share is {glue:text}`part.fair:.0%` in FairFace and {glue:text}`part.utk:.0%` in UTKFace. Chance would give
# {glue:text}`part.chance:.0%`.]{.holds #recipe_most} [With women and men apart, it is {glue:text}`part.apart:.0%` in FairFace, because much of the change there is one of all women
# against all men.]{.holds #less_apart}
#
# The architecture carries little. By chance, it would have as much as the rest, so if it mattered, it would have more. [It has at most {glue:text}`part.architecture:.0%`, about as much as the
# rest.]{.holds #architecture_rest} The recipe takes so much that both stay below their {glue:text}`part.chance_architecture:.0%` by chance.
#
# Yet the recipes are not opposites. [Their mean profiles correlate weakly in FairFace ({glue:text}`r.fair:.2f`) and moderately in UTKFace ({glue:text}`r.utk:.2f`).]{.holds #not_opposite}
#
# :::{dropdown} Details: other definitions, and are students like their teachers?
# - Longer training changes less than another recipe. [The profile of `b` correlates by {glue:text}`longer:.2f` with that of `b` trained longer, and by {glue:text}`other_recipe:.2f` with that
#   of `b` under the second recipe.]{.holds #yard}
# - The next cell has the shares under other definitions. [Without the imperfect pair `s0`, the recipe carries most, too.]{.holds #without_same}
# - "Not centred" means that no mean is subtracted, so how many errors a model makes in all counts as well. [Then the architecture has {glue:text}`level.fair:.0%` in FairFace and
#   {glue:text}`level.utk:.0%` in UTKFace, more than twice the rest.]{.holds #level_more} So architectures do differ in how many errors they make in all.
# - If each model had seen photographs of its own, sampling alone would give the architecture {glue:text}`sampled.FairFace:.0%` in FairFace and {glue:text}`sampled.UTKFace:.0%` in UTKFace. (They
#   saw the same ones, so this is rather too large.) [Only in UTKFace is its share larger than that.]{.holds #sampling_utk}
# - [In FairFace, {glue:text}`mostly:.0%` of the mean change is that women as a whole rise, and men as a whole fall.]{.holds #mostly_women}
# - "Women and men apart" was not planned; we added it after we had seen the results. [Here, the two sets of photographs can contradict each other: among women, White women fall in all pairs in
#   FairFace, and rise in all pairs in UTKFace.]{.holds #photographs_disagree}
# - OpenAI's ViT-L/14 and that of DataComp-1B were the teachers of the first recipe. Its mean profile correlates with theirs by {glue:text}`teach.openai:.2f` and
#   {glue:text}`teach.datacomp:.2f`. [With the three that were not its teachers, it correlates more than with these two on average]{.holds #teacher_not}: {glue:text}`teach.low:.2f` to
#   {glue:text}`teach.high:.2f`. So this is no proof that a student takes errors from its teacher.
# :::

# %% tags=["hide-cell"]
(100 * others).round().astype("Int64")

# %% [markdown]
# (other-data-rankings)=
# ### One architecture, five training sets: who is at the top of a ranking?
#
# Hausladen et al. also measure rankings. We rank the photographs of FairFace by how well they fit a sentence, in the five ViT-L/14. *Skew@1000* is the logarithm of a group's share among the
# first 1,000, divided by its share among all. It is positive if the group has more than its share at the top.
#
# The sentences are "a photo of a man" and "a photo of a woman". We look at race, which they do not name: {glue:text}`n_races` races in {glue:text}`n_sentences` rankings are
# {glue:text}`n_cases` cases. Has the skew one sign in all five models?

# %%
ranked = facts.table("vit_l14_rankings")
skews = ranked[ranked["measure"].str.startswith("skew")].copy()
skews["group"] = skews["measure"].str.partition(" of ")[2]
skews["beyond"] = ~skews["value"].between(skews["chance_low"], skews["chance_high"])
race = skews[skews["of"] == "race"]
POOL = "CommonPool XL, unfiltered"


def agreement(race):
    """In how many cases the models have one sign; how many contradict."""
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
agreed.drop(columns="contradictions")

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
control = skews[skews["of"] == "gender"]
is_named = [(sentence.endswith(" man")) == (group == "men") for sentence, group in zip(control["sentence"], control["group"], strict=True)]
right = np.sign(control["value"]) == np.where(is_named, 1, -1)
ndkl = ranked[(ranked["measure"] == "NDKL") & (ranked["of"] == "race")]
in_pool, elsewhere = ndkl.loc[ndkl["training"] == POOL, "value"], ndkl.loc[ndkl["training"] != POOL, "value"]
filtered = "DataComp-1B"
black = race[(race["group"] == "Black") & (race["sentence"] == "a photo of a man")].set_index("training")["value"]
pool_r = five_profiles[POOL].corr(five_profiles[filtered]) if {POOL, filtered} <= set(five_profiles) else np.nan
all_five, four = agreed.iloc[0], agreed.iloc[1]
vb.note(agree=f"{all_five['one sign in all']:.0f} of {all_five['cases']:.0f}", agree_four=f"{four['one sign in all']:.0f} of {four['cases']:.0f}", coins={"five": all_five["by coins"], "four": four["by coins"]}, n_races=race["group"].nunique(), n_sentences=race["sentence"].nunique(), n_cases=int(all_five["cases"]),
        contradictions=int(all_five["contradictions"]), pool=black.get(POOL, np.nan), filtered=black.get(filtered, np.nan), pool_r=pool_r,
        ndkl={"pool_low": in_pool.min(), "pool_high": in_pool.max(), "low": elsewhere.min(), "high": elsewhere.max(), "chance": ndkl["chance_high"].max()})
vb.holds(half_agree=bool(all_five["by coins"] < all_five["one sign in all"] <= 0.6 * all_five["cases"]), only_pool=bool(all_five["contradictions"] > 0 == four["contradictions"]),
         control_all=bool(right.all() and control["beyond"].all()), pool_turns=bool(black.get(POOL, 0) > 0 > black.get(filtered, 0)), pool_alike=bool(pool_r > 0.9),
         pool_uneven=bool(in_pool.min() > elsewhere.max()), four_agree=bool(four["one sign in all"] > max(four["by coins"], 0.6 * four["cases"])))

# %% [markdown]
# The five models agree in part. [All have one sign in {glue:text}`agree` cases]{.holds #half_agree}; if each model tossed a coin, we would expect {glue:text}`coins.five:.1f`. [Without the model of
# CommonPool, a collection that was not filtered, the other four agree in {glue:text}`agree_four` cases]{.holds #four_agree}; coins would give {glue:text}`coins.four:.1f`.
#
# :::{dropdown} Details: contradictions, a check, and the whole ranking
# - A *contradiction* means: one model has more of the group at the top than random rankings give, and another has less. [There are {glue:text}`contradictions` contradictions, and all involve
#   the model of CommonPool.]{.holds #only_pool}
# - The sentences name a gender. So for gender, an effect must show. [It does: all skews have the expected sign, beyond what random rankings give.]{.holds #control_all}
# - DataComp-1B was selected from the unfiltered CommonPool {cite:p}`gadre2023`. [For "a photo of a man", the skew of photographs labelled Black is {glue:text}`pool:.2f` with the pool, and
#   {glue:text}`filtered:.2f` with the selection.]{.holds #pool_turns} The two models also differ in how often they saw each picture, and each was trained once. [In their profiles of errors,
#   they hardly differ (correlation {glue:text}`pool_r:.2f`).]{.holds #pool_alike}
# - NDKL says how far all groups are from their shares, along the whole ranking; it is 0 if all have exactly their share. [For race, it is higher with the unfiltered pool than with any other
#   set]{.holds #pool_uneven}: {glue:text}`ndkl.pool_low:.3f` and {glue:text}`ndkl.pool_high:.3f` for the two sentences, where the others have {glue:text}`ndkl.low:.3f` to
#   {glue:text}`ndkl.high:.3f`. In 95 % of random rankings, it is at most {glue:text}`ndkl.chance:.3f`.
# :::
#
# (other-data-forced)=
# ### A forced choice among 21 labels
#
# The MobileCLIPs took another test, from the CLIP paper {cite:p}`radford2021,agarwal2021`. The model chooses the best of 21 labels for each photograph. Fourteen name a race and a gender. Four
# are not human, and three are about crime. There is no "none of these". So a photograph may get one of the last labels only because no name fits it well.

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
    line["CLIP paper, %"] = f"{printed[KINDS[label]].get(group, np.nan):.1f}" if images == "FairFace" else "–"
    lines.append(line)
pd.DataFrame(lines).sort_values(["label", "photographs"], kind="stable").set_index(["label", "photographs", "group"])

# %% tags=["hide-cell"]
crime = faces[faces["label"] == CRIME].assign(rate=lambda own: own["given"] / own["n"])
most = crime.loc[crime.groupby(["images", "model"])["rate"].idxmax()].groupby(["images", "recipe"])["group"].unique()
all_groups = {images: set(np.concatenate([list(one) for one in most.loc[images]])) for images in both}
first_two = printed["crime_related"].nlargest(2)
nonhuman = faces[(faces["label"] == "non-human label") & (faces["images"] == "FairFace")].assign(rate=lambda own: own["given"] / own["n"])
worst = nonhuman.loc[nonhuman["rate"].idxmax()]
black = nonhuman[nonhuman["group"] == "Black"]
choice = others.loc[[f"{images}, forced choice among 21 labels" for images in both]]
vb.note(at_random=3 / 21, worst=f"{worst['given']:.0f} of {worst['n']:.0f}", choice={"fair": choice["recipe"].iloc[0], "utk": choice["recipe"].iloc[1], "fair_architecture": choice["architecture"].iloc[0],
        "utk_architecture": choice["architecture"].iloc[1]}, chance_architecture=carried.loc["architecture", "chance"], printed_two={"one": first_two.iloc[0] / 100, "other": first_two.iloc[1] / 100},
        printed_black=printed["non_human"].get("Black", np.nan) / 100, black_most=f"{black['given'].max():.0f} of {black['n'].iloc[0]:.0f}" if len(black) else None)
vb.holds(forced_recipe=bool((choice["recipe"] > 0.5).all()), fairface_one=all_groups["FairFace"] == {"White"}, near_tie=bool(first_two.index[0] == "White" and first_two.iloc[0] - first_two.iloc[1] < 1),
         utkface_recipe=bool({FIRST, SECOND} <= set(most.loc["UTKFace"].index) and not set(most["UTKFace", FIRST]) & set(most["UTKFace", SECOND])),
         nonhuman_low=len(black) > 0 and black["rate"].max() < printed["non_human"].get("Black", 0) / 100 / 10)

# %% [markdown]
# The recipe matters here, too. [For the three labels about crime, it carries {glue:text}`choice.fair:.0%` of what differs between profiles in FairFace and {glue:text}`choice.utk:.0%` in
# UTKFace.]{.holds #forced_recipe}
#
# Does one group get these three labels most often, whatever the model? [In FairFace, yes: the photographs labelled White, in all {glue:text}`n_models` models.]{.holds #fairface_one} One reason may
# be the name: captions seldom say "white man", so it may fit badly. [In UTKFace, no group gets them most often under both recipes.]{.holds #utkface_recipe} So we do not rank
# the groups.
#
# :::{dropdown} Details: what chance would give in a forced choice among 21 labels
# - The architecture carries {glue:text}`choice.fair_architecture:.0%` in FairFace and {glue:text}`choice.utk_architecture:.0%` in UTKFace. By chance, it would carry
#   {glue:text}`chance_architecture:.0%`, and the recipe {glue:text}`part.chance:.0%`. A choice at random would give one of the three labels
#   about crime to {glue:text}`at_random:.0%` of the photographs.
# - [In the table of the CLIP paper, White also comes first, but in a near tie ({glue:text}`printed_two.one:.1%` and {glue:text}`printed_two.other:.1%`).]{.holds #near_tie}
# - UTKFace's groups *Asian* and *Other* have no name of their own in the list.
# :::
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
# - **Two recipes are two observations**, from one laboratory. Six pairs are one comparison of recipes, so we give no p-value.
# - **A recipe is not a set of data.** Which of its parts moved the errors is open.
# - **The models imitate teachers.** All models of a recipe have the same ones, which makes them alike. Architecture may carry more in models that learn alone.
# - **One training each.** What another random start would change is unknown.
# - **Two sentences.** Others may give other errors.
# - **Groups differ in more than their labels**, such as age, light and expression. This may be why a model makes more errors for one group. But both recipes saw the same photographs, so this
#   alone cannot turn the difference.
# - **For a user, all of it is real.** If another recipe makes errors for others, this does not undo the errors of the model in use.
#
# (other-data-means)=
# ## What it means for the three papers
#
# **Ghate et al.** conclude that training data predict bias. Of architectures they write that "at least within the scope of our study, architectural differences do not play a primary role".
# We cannot test this. They ask how large an association is, in {claim}`effect_sizes.models` models. We have two recipes, and ask who is misjudged.
#
# **Hausladen et al.** measure one CLIP model, and find that photographs of Black women stand out in several ways. They say themselves that this should not be "naively generalized". Our page
# shows why: [whether Black women or Black men have more errors in FairFace turns with the recipe.]{.holds #turned} [With five training sets of one architecture, it does not
# turn.]{.holds #none_women}
#
# **Wolfe and Caliskan** compare models that differ both in their data and in the rest of their training. Neither their comparison nor ours can separate the two.
#
# :::{admonition} Rerun this with your own parameters
# :class: dropdown tip
# ```
# .venv/bin/vlmbias run real/other_data -p left_out '[s0]'
# .venv/bin/vlmbias run real/other_data -p table my_results.csv
# ```
# The rerun goes into its own folder. It says which sentences of this page no longer hold, and how its numbers differ. A table of your own needs the columns of the shipped one, in `data/published`.
# :::
#
# ## Take-aways
#
# - Say by which recipe a model was trained, and not only which architecture it has.
# - "The group with the most errors" is a finding about one model, one set of photographs and one pair of sentences. Change each of them once.
#
# ## Exercises
#
# :::{exercise} Without the pair that differs
# :label: other-data-five-pairs
# :level: intermediate
# :minutes: 15
# :code: yes
# The two versions of `s0` differ a little in architecture. Leave this pair out. Which share does the recipe carry in FairFace then, and which share would it get by chance?
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
assert np.isclose(pieces["recipe"] * whole, fewer.shape[1] * (half**2).sum(), equal_nan=True)

# %% [markdown]
# With five architectures there are ten models, which can differ in nine independent ways, and one of them is between the recipes. The share of the recipe does not rest on the pair
# that is imperfect, if it stays about the same without it.
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
# If the contradictions vanish when one set is left out, and stay when any other one is, they are about that set. Fewer sets also agree more easily by chance, so compare the count
# with what coins would give for four.
#
# ```{solution-end}
# ```
#
# ## Questions to discuss
#
# 1. The authors of the second recipe report a higher accuracy on ImageNet {cite:p}`faghri2025`. What else do you measure before you choose a model?
# 2. A new recipe changes who is misjudged. Who could have noticed it, and when?
